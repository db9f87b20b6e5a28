/** As a search engine cuts a text: at the last whole word that fits. */
export function truncateAtWord(text: string, max: number): string {
  const letters = [...text.trim()]
  if (letters.length <= max) return letters.join('')
  const start = letters.slice(0, max - 1).join('')
  const space = start.lastIndexOf(' ')
  return `${(space > max / 2 ? start.slice(0, space) : start).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** « voisol.fr › solutions › collective ». */
export const formatBreadcrumb = (host: string, path: string) => [host, ...path.split('/').filter(Boolean)].join(' › ')
