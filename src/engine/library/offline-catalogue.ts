/**
 * Models that work as agents on one GPU, as of autumn 2026: shown where Ollama suggests none. Sizes are of the 4-bit
 * tags, by a survey and release pages, not measured here; null = not known.
 */
import type { CatalogueEntry } from '../../protocol/engine-room.ts';

export type OfflineEntry = Pick<
  CatalogueEntry,
  'name' | 'description' | 'downloadBytes' | 'trainedContext' | 'capabilities' | 'forVramGib'
>;

const gb = 1e9;
const thinks = ['completion', 'tools', 'thinking'];
const answers = ['completion', 'tools'];
const qwenContext = 262_144;

/** By the VRAM that they are meant for, the first choice of each size first. */
export const offlineCatalogue: readonly OfflineEntry[] = [
  {
    name: 'qwen3.5:2b',
    description: 'Runs without a GPU. Often calls tools wrongly: good for questions, weak for tasks.',
    downloadBytes: 2.7 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 0,
  },
  {
    name: 'gemma4:e2b',
    description: 'Runs without a GPU. Fails most tasks that take several tool calls.',
    downloadBytes: null,
    trainedContext: null,
    capabilities: thinks,
    forVramGib: 0,
  },
  {
    name: 'qwen3.5:4b',
    description: 'The best agent for 8 GB: follows longer tasks well, slips on unusual tool calls.',
    downloadBytes: 3.4 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 8,
  },
  {
    name: 'gemma4:e4b',
    description: 'Pleasant to talk to. Weak with tools: more than half of multi-step tasks fail.',
    downloadBytes: 5 * gb,
    trainedContext: null,
    capabilities: thinks,
    forVramGib: 8,
  },
  {
    name: 'granite4.2:8b',
    description: 'Plain and quick, made for calling tools. Another opinion beside qwen3.5:4b.',
    downloadBytes: 5.3 * gb,
    trainedContext: null,
    capabilities: answers,
    forVramGib: 8,
  },
  {
    name: 'ministral-3:8b',
    description: 'Quick all-rounder for 8 GB with a short window.',
    downloadBytes: 5.2 * gb,
    trainedContext: null,
    capabilities: answers,
    forVramGib: 8,
  },
  {
    name: 'qwen3.5:9b',
    description: 'The first choice for 12 GB: reliable tool calls, a window of 16k to 32k tokens.',
    downloadBytes: 6.5 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 12,
  },
  {
    name: 'gemma4:12b',
    description: 'Writes well and handles tools decently; the first choice for 16 GB, tight on 12.',
    downloadBytes: 7.5 * gb,
    trainedContext: null,
    capabilities: thinks,
    forVramGib: 16,
  },
  {
    name: 'gpt-oss:20b',
    description: 'Fast for its size and always thinks first; fits 16 GB with a moderate window.',
    downloadBytes: 12.1 * gb,
    trainedContext: 131_072,
    capabilities: thinks,
    forVramGib: 16,
  },
  {
    name: 'ministral-3:14b',
    description: 'A larger all-rounder for 16 GB.',
    downloadBytes: null,
    trainedContext: null,
    capabilities: answers,
    forVramGib: 16,
  },
  {
    name: 'qwen3.8:27b',
    description: 'The strongest agent for 24 GB; with 32 GB it gets a long window.',
    downloadBytes: 17 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 24,
  },
  {
    name: 'gemma4:26b-a4b',
    description:
      'Answers quickly, because only a part of it works on each word. Good with tools, not the best.',
    downloadBytes: 16.9 * gb,
    trainedContext: null,
    capabilities: thinks,
    forVramGib: 24,
  },
  {
    name: 'qwen3.6:27b',
    description: 'The generation before qwen3.8:27b, still solid.',
    downloadBytes: 16.8 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 24,
  },
  {
    name: 'gemma4:31b',
    description: 'The most thorough Gemma. On 24 GB only with a short window.',
    downloadBytes: 18.3 * gb,
    trainedContext: null,
    capabilities: thinks,
    forVramGib: 24,
  },
  {
    name: 'qwen3.6:35b-a3b',
    description: 'About five times as fast as others of its size; wants 32 GB.',
    downloadBytes: 22.1 * gb,
    trainedContext: qwenContext,
    capabilities: thinks,
    forVramGib: 32,
  },
];
