/** What a chat request looks like on its way into a prompt, and what the prompt is made of. */

export type FamilyName =
  | 'qwen3.8'
  | 'qwen3.5'
  | 'gemma4-small'
  | 'template-llama3.1'
  | 'template-gpt-oss'
  | 'template-qwen2.5'
  | 'template-gemma3'
  | 'native-llama3.1'
  | 'native-mistral-small-3.2';

/** A decoded JSON value. Ollama decodes numbers into 64-bit floats, which is what JSON.parse does too. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = Record<string, Json>;

export interface ToolCall {
  id?: string | undefined;
  function: { name: string; arguments: JsonObject };
}

export interface Message {
  role: string;
  content: string;
  /** As they came: base64. */
  images?: readonly (string | Uint8Array)[] | undefined;
  thinking?: string | undefined;
  tool_calls?: readonly ToolCall[] | undefined;
  tool_name?: string | undefined;
  tool_call_id?: string | undefined;
}

/** The keywords of a property that Ollama keeps; it drops all others while decoding. */
export interface PropertySchema {
  anyOf?: readonly PropertySchema[] | undefined;
  type?: string | readonly string[] | undefined;
  items?: Json | undefined;
  description?: string | undefined;
  enum?: readonly Json[] | undefined;
  properties?: Readonly<Record<string, PropertySchema>> | undefined;
  required?: readonly string[] | undefined;
}

export interface Tool {
  type: string;
  items?: Json | undefined;
  function: {
    name: string;
    description?: string | undefined;
    parameters?:
      | {
          type?: string | undefined;
          $defs?: Json | undefined;
          items?: Json | undefined;
          required?: readonly string[] | undefined;
          properties?: Readonly<Record<string, PropertySchema>> | undefined;
        }
      | undefined;
  };
}

export type ThinkValue = boolean | string;

export interface RenderRequest {
  /** The model's name as the client sent it; error texts repeat it. */
  model: string;
  messages: readonly Message[];
  tools?: readonly Tool[] | undefined;
  think?: ThinkValue | undefined;
  /** As 2026-11-21; some families print it. */
  today?: string | undefined;
}

/**
 * `boilerplate` is the family's own prose (how to call a tool, how hard to think), in our words;
 * `markup` is everything else that does not come from the request.
 */
export type PieceKind =
  'markup' | 'boilerplate' | 'system' | 'tools' | 'user' | 'assistant' | 'thinking' | 'call' | 'result';

export interface Piece {
  kind: PieceKind;
  text: string;
  /** Index into the request's messages; absent on markup, boilerplate and tools. */
  messageIndex?: number;
}

/**
 * What the end of a prompt leaves to the model: `open` = inside a thinking block that the prompt began,
 * `free` = it may begin one itself, `closed` = it answers without thinking.
 */
export type ThinkingState = 'open' | 'free' | 'closed';

export interface Prompt {
  ok: true;
  /** In order; their texts joined are `text`. Empty texts have no piece. */
  pieces: Piece[];
  text: string;
  thinking: ThinkingState;
}

export interface Refusal {
  ok: false;
  status: number;
  error: string;
}

export type Rendered = Prompt | Refusal;

export interface Reply {
  thinking?: string | undefined;
  text?: string | undefined;
  /** `id` only where the model writes one itself, see {@link Family.callIdLength}. */
  calls?: readonly { id?: string | undefined; name: string; arguments: JsonObject }[] | undefined;
  /** A grammar leaves room for nothing but the text, from the first token on. */
  underGrammar?: boolean | undefined;
}

/** Marks that the Go-template parser looks for; Ollama reads them off the template. */
export interface TemplateMarks {
  /** What a tool call begins with. */
  call: string;
  /** Opening and closing mark of thinking; absent = the model does not think. */
  thinking?: [string, string];
}

/** What `/api/show` and `/api/tags` tell about a model of the family. */
export interface ModelCard {
  architecture: string;
  parameterSize: string;
  quantization: string;
  /** Bytes of the GGUF file. */
  fileSize: number;
  /** The Go template; `{{ .Prompt }}` where a built-in renderer writes the prompt. */
  template: string;
  renderer?: string;
  parser?: string;
  /** Default options of the Modelfile, stop strings included. */
  parameters: Readonly<Record<string, number | readonly string[]>>;
  /** Array values are shown as null unless the request says `verbose`. */
  modelInfo: Readonly<Record<string, number | string | boolean | null | readonly number[]>>;
}

export interface Family {
  name: FamilyName;
  path: 'rendered' | 'template' | 'native';
  memory: 'full' | 'sliding' | 'recurrent';
  capabilities: readonly string[];
  /** As `/api/show` of dialect 0.40 lists them; `[false]` = cannot think. */
  thinking: { values: readonly ThinkValue[]; default: ThinkValue };
  card: ModelCard;
  /** Texts of the tokens that end generation; none of them is part of a written reply. */
  stop: readonly string[];
  /** Go templates without a parser of their own only; absent = a bare JSON object is a call. */
  marks?: TemplateMarks;
  /** How many letters the ids have that the model writes into its calls; absent = it writes none. */
  callIdLength?: number;
  render(request: RenderRequest): Rendered;
  /**
   * The text that the model itself generates for `reply` behind a prompt that ends in state `thinking`.
   * History renders a reply differently in places (order, spelling of arguments), so the cache must hold
   * this text. The end-of-turn token is sampled but never evaluated, hence absent. A reply's thinking is
   * left out where the prompt closed it.
   */
  writeReply(reply: Reply, thinking: ThinkingState): string;
}
