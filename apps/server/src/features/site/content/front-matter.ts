/** The lines `key: value` between two lines of dashes, and the text below them. */
export function parseFrontMatter(file: string): { values: Record<string, string>; body: string } {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(file.replace(/\r\n?/g, '\n')) ?? []
  if (head === undefined || body === undefined) throw new Error('front matter between two lines of --- expected')
  const values: Record<string, string> = {}
  for (const line of head.split('\n').filter((text) => text.trim() !== '')) {
    const [, key, value] = /^(\w+):\s*(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`"key: value" expected, not "${line}"`)
    values[key] = value.trim().replace(/^"(.*)"$/, '$1')
  }
  return { values, body: body.trim() }
}
