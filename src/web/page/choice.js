// Choosing a move by its squares: each click leaves those moves that go on with that square.

/** Whether a square of a move, in which null stands for any, is this square of the picture. */
export function isAt(of, square) {
  const fits = (wanted, has) => wanted === null || wanted === undefined || wanted === has;
  return of.board === square.board
    && fits(of.layer, square.layer) && fits(of.row, square.row) && fits(of.column, square.column);
}

/** The moves of a state of affairs, narrowed square by square. */
export class Choice {
  /** `moves` as in `legal` of a state, of which some squares may have been selected. */
  constructor(moves = [], selected = []) {
    this.moves = moves.filter((move) => move.squares.length > 0);
    this.selected = selected;
  }

  /** The moves whose squares begin with the selected ones. */
  get left() {
    return this.moves.filter((move) => this.#begins(move, this.selected));
  }

  /** Whether some move that is left goes on with this square. */
  goesOn(square) {
    const at = this.selected.length;
    return this.left.some((move) => at < move.squares.length && isAt(move.squares[at], square));
  }

  /** Whether every way to go on there stands for a whole row or column. */
  isWide(square) {
    const at = this.selected.length;
    const ways = this.left.filter((move) => at < move.squares.length && isAt(move.squares[at], square));
    return ways.length > 0 && ways.every((move) => move.squares[at].row === null || move.squares[at].column === null);
  }

  /** Whether a click on either means the same. */
  isSame(square, other) {
    const at = this.selected.length;
    return this.left.some((move) =>
      at < move.squares.length && isAt(move.squares[at], square) && isAt(move.squares[at], other));
  }

  /**
   * A click on a square: goes on with it, or begins anew with it, or takes back the selection. The
   * answer are the moves that are complete with it, to be played or chosen among.
   */
  click(square) {
    if (!this.goesOn(square)) {
      const again = this.selected.length > 0 && sameSquare(this.selected.at(-1), square);
      this.selected = [];
      if (again || !this.goesOn(square)) return [];
    }
    this.selected.push(square);
    return this.left.filter((move) => move.squares.length === this.selected.length);
  }

  clear() {
    this.selected = [];
  }

  #begins(move, squares) {
    return squares.length <= move.squares.length && squares.every((square, i) => isAt(move.squares[i], square));
  }
}

/** Whether both are the same square of the picture. */
export function sameSquare(a, b) {
  return a.board === b.board && a.layer === b.layer && a.row === b.row && a.column === b.column;
}
