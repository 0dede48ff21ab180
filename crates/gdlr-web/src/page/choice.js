// Choosing a move by its squares: each click leaves those moves that go on with that square.

/** @import { NumberedMove, Square, Target } from "./service.js" */
/** @typedef {Omit<NumberedMove, "squares"> & { squares: Target[] }} Move a legal move, and which squares it names */

/**
 * Whether a square of a move, in which null stands for any, is this square of the picture.
 *
 * @param {Target} of
 * @param {Square} square
 */
export function isAt(of, square) {
  /** @type {(wanted: number | null, has: number) => boolean} */
  const fits = (wanted, has) => wanted === null || wanted === has;
  return (
    of.board === square.board
    && fits(of.layer, square.layer)
    && fits(of.row, square.row)
    && fits(of.column, square.column)
  );
}

/** The moves of a state of affairs, narrowed square by square. */
export class Choice {
  /**
   * The squares that the moves which are left name next, each once.
   *
   * @type {Target[]}
   */
  #next = [];

  /**
   * `moves` as in `legal` of a state, of which some squares may have been selected.
   *
   * @param {Move[]} [moves]
   * @param {Square[]} [selected]
   */
  constructor(moves = [], selected = []) {
    this.moves = moves.filter((move) => move.squares.length > 0);
    this.left = this.moves;
    this.selected = selected;
    this.#select(selected);
  }

  /**
   * Selects squares; `left` are the moves whose squares begin with them. Thousands of moves share
   * few next squares: those are looked at once a click.
   *
   * @param {Square[]} squares
   */
  #select(squares) {
    const at = squares.length;
    this.selected = squares;
    this.left = at ? this.moves.filter((move) => begins(move, squares)) : this.moves;
    this.#next = [...new Set(this.left.flatMap((move) => move.squares.slice(at, at + 1)))];
  }

  /**
   * Whether some move that is left goes on with this square.
   *
   * @param {Square} square
   */
  goesOn(square) {
    return this.#next.some((of) => isAt(of, square));
  }

  /**
   * Whether every way to go on there stands for a whole row or column.
   *
   * @param {Square} square
   */
  isWide(square) {
    const ways = this.#next.filter((of) => isAt(of, square));
    return ways.length > 0 && ways.every((of) => of.row === null || of.column === null);
  }

  /**
   * Whether a click on either means the same.
   *
   * @param {Square} square
   * @param {Square} other
   */
  isSame(square, other) {
    return this.#next.some((of) => isAt(of, square) && isAt(of, other));
  }

  /**
   * A click on a square: goes on with it, or begins anew with it, or takes back the selection. The
   * answer are the moves that are complete with it, to be played or chosen among.
   *
   * @param {Square} square
   */
  click(square) {
    if (!this.goesOn(square)) {
      const last = this.selected.at(-1);
      const again = last !== undefined && sameSquare(last, square);
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

/**
 * Whether the first squares of a move are these.
 *
 * @param {Move} move
 * @param {Square[]} squares
 */
function begins(move, squares) {
  return squares.length <= move.squares.length && squares.every((square, i) => isAt(move.squares[i], square));
}

/**
 * Whether both are the same square of the picture.
 *
 * @param {Square} a
 * @param {Square} b
 */
export function sameSquare(a, b) {
  return a.board === b.board && a.layer === b.layer && a.row === b.row && a.column === b.column;
}
