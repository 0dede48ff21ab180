// Choosing a move by its squares: each click leaves those moves that go on with that square.

/** Whether a square of a move, in which null stands for any, is this square of the picture. */
export function isAt(of, square) {
  const fits = (wanted, has) => wanted === null || wanted === undefined || wanted === has;
  return (
    of.board === square.board
    && fits(of.layer, square.layer)
    && fits(of.row, square.row)
    && fits(of.column, square.column)
  );
}

/** The moves of a state of affairs, narrowed square by square. */
export class Choice {
  /** What moves that are left name next, each once. */
  #next = [];

  /** `moves` as in `legal` of a state, of which some squares may have been selected. */
  constructor(moves = [], selected = []) {
    this.moves = moves.filter((move) => move.squares.length > 0);
    this.#select(selected);
  }

  /**
   * Selects squares; `left` are the moves whose squares begin with them. Thousands of moves share
   * few next squares: those are looked at once a click.
   */
  #select(squares) {
    const at = squares.length;
    this.selected = squares;
    this.left = at ? this.moves.filter((move) => begins(move, squares)) : this.moves;
    this.#next = [...new Set(this.left.map((move) => move.squares[at]))].filter(Boolean);
  }

  /** Whether some move that is left goes on with this square. */
  goesOn(square) {
    return this.#next.some((of) => isAt(of, square));
  }

  /** Whether every way to go on there stands for a whole row or column. */
  isWide(square) {
    const ways = this.#next.filter((of) => isAt(of, square));
    return ways.length > 0 && ways.every((of) => of.row === null || of.column === null);
  }

  /** Whether a click on either means the same. */
  isSame(square, other) {
    return this.#next.some((of) => isAt(of, square) && isAt(of, other));
  }

  /**
   * A click on a square: goes on with it, or begins anew with it, or takes back the selection. The
   * answer are the moves that are complete with it, to be played or chosen among.
   */
  click(square) {
    if (!this.goesOn(square)) {
      const again = this.selected.length > 0 && sameSquare(this.selected.at(-1), square);
      this.clear();
      if (again || !this.goesOn(square)) return [];
    }
    this.#select([...this.selected, square]);
    return this.left.filter((move) => move.squares.length === this.selected.length);
  }

  clear() {
    this.#select([]);
  }
}

function begins(move, squares) {
  return squares.length <= move.squares.length && squares.every((square, i) => isAt(move.squares[i], square));
}

/** Whether both are the same square of the picture. */
export function sameSquare(a, b) {
  return a.board === b.board && a.layer === b.layer && a.row === b.row && a.column === b.column;
}
