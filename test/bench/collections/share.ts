export function share<Value>(values: readonly Value[], isSo: (value: Value) => boolean): number {
  return values.length === 0 ? 0 : values.filter(isSo).length / values.length;
}
