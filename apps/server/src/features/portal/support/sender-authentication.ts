type Result = { method: string; result: string; properties: Map<string, string> }
type Statement = { server: string; results: Result[] }

/** Without what stands between brackets, which says nothing to programs (RFC 5322, comments). */
function removeComments(text: string): string {
  let kept = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') {
      if (!depth) kept += text.slice(at, at + 2)
      at++
      continue
    }
    if (character === '"' && !depth) quoted = !quoted
    if (character === '(' && !quoted) depth++
    if (!depth) kept += character
    if (character === ')' && !quoted && depth) depth--
  }
  return kept
}

/** A quoted string with its escapes, an escape alone, or any other character: what a quoted string holds separates nothing. */
const QUOTED_PATTERN = String.raw`"(?:\\.|[^"\\])*"|\\.`
const PART_PATTERN = new RegExp(`(?:${QUOTED_PATTERN}|[^;"\\\\])+`, 'gs')
const WORD_PATTERN = new RegExp(`(?:${QUOTED_PATTERN}|[^\\s"\\\\])+`, 'gs')

const unquote = (text: string) =>
  text
    .replace(/"((?:\\.|[^"\\])*)"/gs, '$1')
    .replace(/\\(.)/gs, '$1')
    .toLowerCase()

/** A quote that never ends could hide any statement. */
const isUnreadable = (text: string) => /["\\]/.test(text.replace(new RegExp(QUOTED_PATTERN, 'gs'), ''))

/** One Authentication-Results header (RFC 8601): who states it, and what. One that cannot be read states nothing. */
export function parseAuthenticationResults(value: string): Statement {
  const text = removeComments(value).replace(/\s*=\s*/g, '=')
  if (isUnreadable(text)) return { server: '', results: [] }
  const [first = '', ...rest] = text.match(PART_PATTERN) ?? []
  const results = rest.flatMap((part): Result[] => {
    const pairs = (part.match(WORD_PATTERN) ?? []).flatMap((word) => {
      const [, name = '', said = ''] = /^([\w./-]+)=(.+)$/s.exec(word) ?? []
      return name ? [[name.toLowerCase(), unquote(said)] as const] : []
    })
    const [method, ...others] = pairs
    if (!method) return []
    return [{ method: method[0].split('/', 1)[0] ?? '', result: method[1], properties: new Map(others) }]
  })
  return { server: unquote(first.match(WORD_PATTERN)?.[0] ?? ''), results }
}

const getDomain = (text = '') => (text.split('@').at(-1) ?? '').replace(/\.$/, '')

/**
 * The same domain, or one above it, which holds its zone. A domain below vouches for nobody: providers give names under
 * their own to strangers, and where one ends and the other begins only a list of public suffixes would say. A receiving
 * server that has such a list states DMARC.
 */
const isAligned = (domain: string, from: string) =>
  domain === from || (domain.includes('.') && from.endsWith(`.${domain}`))

/**
 * Whether the receiving server states that this address sent the mail. Of each method only its topmost statement counts: a server
 * adds its own above whatever the sender wrote, and removes what bears its name.
 */
export function isAuthenticSender(headers: readonly string[], trustedServer: string, from: string): boolean {
  const statements = headers
    .map(parseAuthenticationResults)
    .filter(({ server }) => server === trustedServer.toLowerCase())
  const findResults = (method: string) =>
    statements
      .map(({ results }) => results.filter((one) => one.method === method))
      .find((results) => results.length > 0) ?? []
  const domain = getDomain(from.toLowerCase())
  if (!domain) return false
  const [dmarc] = findResults('dmarc')
  if (dmarc?.result === 'pass') return getDomain(dmarc.properties.get('header.from') ?? domain) === domain
  if (dmarc?.result === 'fail') return false
  const hasPassed = (method: string, ...names: string[]) =>
    findResults(method).some(({ result, properties }) => {
      const name = names.find((one) => properties.has(one))
      return result === 'pass' && name !== undefined && isAligned(getDomain(properties.get(name)), domain)
    })
  return hasPassed('dkim', 'header.d', 'header.i') || hasPassed('spf', 'smtp.mailfrom')
}

/** Nobody says this of their own mail: whoever states it is believed, also where the rest of the header cannot be read. */
export const isStatedForged = (headers: readonly string[]) =>
  headers.some(
    (header) =>
      parseAuthenticationResults(header).results.some(
        ({ method, result }) => method === 'dmarc' && result === 'fail',
      ) ||
      (isUnreadable(removeComments(header)) && /\bdmarc\s*=\s*fail\b/i.test(header)),
  )
