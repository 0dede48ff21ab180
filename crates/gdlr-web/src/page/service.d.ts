// The requests and answers of the service under /api, for the type checks of the page; docs/api.md
// describes it, and tests/browser/test_types.py compares the two. Nothing of this is served.

/** Whether it is still being learned what pictures show. */
export type Pictures = "first" | "final";
/** By role; null where the rules give no proper value. */
export type Goals = Record<string, number | null>;
/** The moves of all roles, in their order. */
export type Joint = string[];

/** A place in a text: line and column from 1, beginning and end in bytes. */
export interface Place {
  line: number;
  column: number;
  start: number;
  end: number;
}

/** A message of the checks of a text. */
export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  /** The text below the place; may be empty. */
  label: string;
  help: string | null;
  place: Place;
  related: (Place & { label: string })[];
}

/** `GET /api` */
export interface About {
  name: string;
  version: string;
  /** The game and match of a page whose address names none. */
  start: { game: string | null; match: string | null };
}

/** `GET /api/games` */
export interface Bundled {
  bundled: { name: string; title: string }[];
}

/** The body of `POST /api/games`. */
export interface GameWish {
  name?: string;
  text?: string;
  /** The seed of made-up names. */
  obfuscate?: number;
}

/** `POST /api/games` and `GET /api/games/G` */
export interface Game {
  id: string;
  name: string;
  /** Empty where it has none. */
  title: string;
  roles: string[];
  /** The role that draws at random. */
  chance: string | null;
  /** Whether the rules hide the state. */
  hidden: boolean;
  /** The engine that plays it by now. */
  engine: string;
  pictures: Pictures;
  text: string;
  diagnostics: Diagnostic[];
}

/** A number of a game, or a table of them by name. */
export type Figure = string | number | boolean | null | Figure[] | { [name: string]: Figure };

/** A number with its name. */
export type NamedNumber = { name: string; value: number };

/** A choice of set-up, and the figures that it was made by. */
export type Decision = {
  /** `set-up`, `tree`, `net`, `batch`, and so on. */
  part: string;
  subject: string;
  chosen: string;
  measured: NamedNumber[];
  /** The bound that the figures were compared with, if there is one. */
  bound: NamedNumber | null;
};

/** `GET /api/games/G/info` */
export type Info = Record<string, Figure> & { decisions: Decision[] };

/** An event `rate` of `GET /api/games/G/rates` */
export interface Rate {
  seconds: number;
  playouts: number;
  states: number;
  playouts_per_second: number;
  states_per_second: number;
  /** Whether hundreds are played at once. */
  lanes: boolean;
  /** The mean by role; null where no playout has ended. */
  goals: Goals;
  done: boolean;
}

/** `POST /api/check` */
export interface Checked {
  errors: number;
  warnings: number;
  diagnostics: Diagnostic[];
}

/** `POST /api/format` */
export interface Formatted {
  text: string;
}

/** Who can be chosen to play a role. */
export type PlayerName = "human" | "uct" | "alphabeta" | "mc" | "random" | NetName;

/** A player with a value net: `net:` and the path of its file. */
export type NetName = `net:${string}`;

/** The body of `POST /api/matches`. */
export interface MatchWish {
  game: string;
  players?: Record<string, PlayerName>;
  think?: number;
  seed?: number;
  omniscient?: boolean;
  record?: MatchRecord;
  playout?: number;
}

/** A record of a match, as far as the page reads it: the service reads the rest. */
export interface MatchRecord {
  game?: string;
  playouts?: unknown[];
}

export interface Role {
  name: string;
  player: PlayerName | "chance";
}

/** How a match stands: `POST /api/matches`, `GET /api/matches/M`, and the event `match` */
export interface Status {
  id: string;
  game: string;
  name: string;
  chance: string | null;
  hidden: boolean;
  omniscient: boolean;
  roles: Role[];
  /** The value nets of the game, which can play roles, too. */
  nets: NetName[];
  think: number;
  paused: boolean;
  step: number;
  terminal: boolean;
  /** Null until the state is terminal. */
  goals: Goals | null;
  /** Whose moves have to come from outside. */
  waiting: string[];
  /** Those of them whose moves are there. */
  chosen: string[];
  /** Whose player thinks at present. */
  thinking: string | null;
  /** Why the match cannot go on though it is not over. */
  stopped: string | null;
  /** Null where the match hides the state. */
  moves: Joint[] | null;
}

/** Squares that a move names; null stands for any. */
export interface Target {
  board: number;
  layer: number | null;
  row: number | null;
  column: number | null;
}

/** A square of a picture, in units of the picture. */
export interface Square {
  board: number;
  layer: number;
  row: number;
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
  name: string;
  /** The things that are drawn on it. */
  things: string[];
  /** The facts that say so. */
  facts: string[];
  changed: boolean;
}

export interface Picture {
  /** A document of SVG. */
  svg: string;
  width: number;
  height: number;
  squares: Square[];
}

/** A legal move. */
export interface NumberedMove {
  id: string;
  move: string;
  /** Places in `targets`, in the order in which a person clicks them. */
  squares: number[];
}

/** The observation of a role in a step: its own move and its percepts, or the joint move. */
export interface Told {
  step: number;
  move?: string;
  percepts?: string[];
  moves?: Joint;
}

/** `GET /api/matches/M/states/N` */
export interface StateAnswer {
  step: number;
  last: number;
  /** Who looks. */
  as: string | null;
  terminal: boolean;
  goals: Goals | null;
  /** The joint move that led there. */
  joint: Joint | null;
  facts: string[];
  /** The facts that are on no board. */
  beside: string[];
  targets: Target[];
  legal: Record<string, NumberedMove[]>;
  seen: Told[] | null;
  picture?: Picture;
}

/** The body of `POST /api/matches/M/players`. */
export interface PlayersWish {
  players?: Record<string, PlayerName>;
  think?: number;
  paused?: boolean;
}

/** The body of `POST /api/matches/M/explain`. */
export interface ExplainWish {
  sentence: string;
  step?: number;
  does?: string;
  depth?: number;
  negations?: boolean;
}

/** A line of an explanation, for people. */
export interface ReasonLine {
  depth: number;
  mark: "holds" | "fails" | "rule";
  text: string;
  /** By which other lines refer to it. */
  number: number | null;
  /** May be empty. */
  note: string;
  place: Place | null;
}

/** The explanation that stands beside a refused move. */
export interface Explanation {
  explained: string;
  holds: boolean;
  /** How many more answers there are. */
  more: number;
  lines: ReasonLine[];
  /** The rest is for programs: see `gdlr explain --json`. */
  answers: number[];
  strangers: unknown[];
  steps: unknown[];
  rules: unknown[];
}

/** `POST /api/matches/M/explain` */
export interface Explained extends Explanation {
  question: string;
  /** The number of the state. */
  moves: number;
  does: Joint | null;
}

/** `POST /api/matches/M/rule` */
export type RuleAnswer = { rule: null } | Instances;

/** A rule, with its instances that hold in the state. */
export interface Instances {
  rule: { number: number; text: string; place: Place };
  joint: Joint | null;
  instances: { head: string; bindings: { variable: string; value: string }[] }[];
  /** How many more there are. */
  more: number;
}

/** The estimate of a search for a move. */
export interface Estimate {
  move: string;
  id: string;
  visits: number;
  /** Null where it was never tried. */
  mean: number | null;
  /** Whether `mean` is proven. */
  certain: boolean;
}

/** The event `thought`: what a player or a hint expects. */
export interface Thought {
  step: number;
  role: string;
  hint: boolean;
  estimates: Estimate[];
  main_line: Joint[];
  playouts: number;
  playouts_per_second: number;
  seconds: number;
  done: boolean;
}

/** A refusal of the service: a code, words, and the keys that some codes have besides. */
export interface RefusalAnswer {
  code: string;
  message: string;
  help: string | null;
  diagnostics?: Diagnostic[];
  /** Null where the state is hidden. */
  explanation?: Explanation | null;
}
