/** A wrong use of a command: reported in one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const printLine = (text = '') => console.log(text)

/** Columns as wide as their widest cell. */
export function formatTextTable(header: string[], rows: string[][]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}

export const formatCliCount = (n: number, one: string, many = `${one}s`) => `${n} ${n > 1 ? many : one}`
