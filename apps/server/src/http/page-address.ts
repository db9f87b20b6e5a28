/** What the data of a page may depend on; anything else in an address changes nothing in the page. */
const READ_PARAMETERS = ['page', 'q', 'category']
const MAX_PARAMETER_LENGTH = 200

/** `path`: the one address of a page, without double or closing slashes. `read`: what of the query the page reads. */
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
    // Browsers take a backslash for a slash, and two of them for another host.
    path: `/${given.replace(/^[/\\]+|[/\\]+$/g, '')}`,
    query: query && `?${query}`,
    read: kept.size ? `?${kept}` : '',
  }
}
