/** As a search engine cuts a text: at the last whole word that fits. */
export function cut(text: string, max: number): string {
  const letters = [...text.trim()]
  if (letters.length <= max) return letters.join('')
  const kept = letters.slice(0, max - 1).join('')
  const space = kept.lastIndexOf(' ')
  return `${(space > max / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** « voisol.fr › solutions › collective ». */
export const crumbsOf = (host: string, path: string) => [host, ...path.split('/').filter(Boolean)].join(' › ')
