/** The two generations of Ollama that the simulator speaks (contract 10). */
export type Dialect = '0.33.2' | '0.40';
