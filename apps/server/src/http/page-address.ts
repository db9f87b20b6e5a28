/** The query parameters that page data may depend on; all others are ignored. */
const READ_PARAMETERS = ['page', 'q', 'category']
const MAX_PARAMETER_LENGTH = 200

/** `path`: the canonical path, without double or trailing slashes. `read`: the part of the query that the page uses. */
export function parsePageAddress(url: string) {
  const [given = '/', query = ''] = url.split(/\?(.*)/s, 2)
  const search = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of READ_PARAMETERS) {
    const value = search.get(name)
    if (value) kept.set(name, value.slice(0, MAX_PARAMETER_LENGTH))
  }
  return {
    given,
    // Browsers treat a backslash as a slash, and two of them as the start of another host.
    path: `/${given.replace(/^[/\\]+|[/\\]+$/g, '')}`,
    query: query && `?${query}`,
    read: kept.size ? `?${kept}` : '',
  }
}
