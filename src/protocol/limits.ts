/**
 * How much of anything may enter a process. One home for these numbers, so that both ends of a pipe agree on them; no
 * schemas here, so that a window can read them too. Sizes are bytes.
 */

const kB = 1024;
const MB = 1024 * kB;

/** Of lists and objects in any frame, reply or argument. Deeper JSON can be parsed, but writing it again overflows the stack. */
export const maxNesting = 64;
/** Of an exported session, which wraps the arguments of its calls. */
export const maxFileNesting = maxNesting + 36;

/** Values in one turn, item or message of an exported session, those in its lists and objects included. */
export const maxEntryValues = 200_000;

/** Of one request to a process, as JSON text. What is larger travels as an upload, in pieces. */
export const maxFrameBytes = 8 * MB;
/** Of an upload, before it is written as base64. */
export const maxPieceBytes = MB;
/** Of a file of exported sessions. */
export const maxImportBytes = 256 * MB;
/** Files on their way to the host at the same time, from all windows. */
export const maxUploads = 16;

/** Of the headless server, idle ones included. A page takes two sockets and a few requests. */
export const maxConnections = 200;
/** Sign-ins and new sockets, from everybody together. */
export const maxRequestsPerMinute = 600;
/** From the opening of a socket to its first frame, the sign-in. */
export const maxSignInMs = 5_000;
/** What a socket may send before it is signed in, as much as arrives at once included. */
export const maxSignInBytes = 128 * kB;
/** How long a browser stays signed in. */
export const maxSessionMs = 30 * 24 * 60 * 60 * 1000;

/** Of Ollama's short replies, by what is asked. A long license or a large library fits many times. */
export const maxReplyBytes = {
  version: 64 * kB,
  ps: MB,
  tags: 16 * MB,
  show: 32 * MB,
  /** With per-layer lists and the whole vocabulary; the largest takes a quarter of it. */
  verboseShow: 64 * MB,
  /** A load, an unload, a warm-up: counters, and for a warm-up one number for each of its tokens. */
  load: 8 * MB,
  /** A handful of vectors, each number written out. */
  embed: 8 * MB,
  /** A prompt as the template makes it. */
  render: 64 * MB,
  recommendations: MB,
  /** Of a runner. */
  slots: MB,
  /** Of another host. */
  hostModels: 4 * MB,
  /** Of a refusal this much is read, and told in part. */
  error: 64 * kB,
} as const;
/** One line of a stream. A tool call that carries a file is one line; the runner's own limit for an event is 8 MB. */
export const maxStreamLineBytes = 32 * MB;
/** All lines of one model reply together. */
export const maxStreamBytes = 64 * MB;

/** Values in the arguments of one call, those in its lists and objects included. */
export const maxCallValues = 2_000;
/** Characters of the arguments of one call, keys included. What is longer fills the context of any model. */
export const maxCallCharacters = 1_000_000;
/** Characters of the name of a tool that are kept. */
export const maxToolName = 200;

/** Characters of one message of a server of tools: a picture of the largest kind fits, written as base64. */
export const maxServerMessage = 16 * MB;
/** Pictures of one result of a tool; what comes after those is told in words. */
export const maxResultPictures = 8;
export const maxResultPictureBytes = 10 * MB;
/** Pixels of a picture from elsewhere. A small file may hold so many that whatever draws it has no memory left. */
export const maxPicturePixels = 50_000_000;

/** Characters of one piece of a result that a window asks for. */
export const maxResultPiece = 500_000;

/** Calls of one reply that run. */
export const maxCallsPerReply = 32;
/** Calls beyond them that get a refusal each. What comes after those is counted and not kept: it would fill the context. */
const maxRefusedCalls = 32;
/** Calls of one reply that reach the log and the window. */
export const maxKeptCalls = maxCallsPerReply + maxRefusedCalls;

/** A list that a model or a person writes, in steps, and one step of it, in characters. */
export const maxPlanSteps = 30;
export const maxStepLength = 300;

/** Characters of a key that a person gives to a host. */
export const maxHostKeyLength = 4_096;
/** Of what a person calls a model server. */
export const maxHostNameLength = 60;
