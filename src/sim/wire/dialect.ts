/** The two generations of Ollama that the simulator speaks. */
export type Dialect = '0.33.2' | '0.40';
