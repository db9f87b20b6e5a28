/** Letters and digits without accents, joined by dashes. */
export const slugify = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/œ/gi, 'oe')
    .replace(/æ/gi, 'ae')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
    .replace(/-$/, '')

/** Two headings with the same text get different anchors. */
export function createHeadingIds() {
  const used = new Set<string>()
  const next = new Map<string, number>()
  return (text: string): string => {
    const base = slugify(text) || 'section'
    let n = next.get(base) ?? 1
    let id = n === 1 ? base : `${base}-${n}`
    while (used.has(id)) id = `${base}-${++n}`
    next.set(base, n + 1)
    used.add(id)
    return id
  }
}
