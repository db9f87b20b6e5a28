/** Debian's own names of what it publishes: a mirror of one has the others too. */
const DEBIAN_SUITES = /^(?:bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/

/** One source per paragraph, as `.sources` files write them. */
function parseParagraphs(text) {
  return text.split(/\n\s*\n/).map((paragraph) => {
    const fields = Object.fromEntries(
      [...paragraph.matchAll(/^([A-Za-z-]+):[ \t]*(.*)$/gm)].map(([, name, value]) => [
        name.toLowerCase(),
        value.trim().split(/\s+/),
      ]),
    )
    const { types = [], uris = [], suites = [], components = [], enabled = [] } = fields
    if (!types.includes('deb') || enabled[0] === 'no') return undefined
    const [keyring] = fields['signed-by'] ?? []
    return { mirror: uris[0], suites, components, keyring: keyring?.startsWith('/') ? keyring : undefined }
  })
}

/** One source per line, as `.list` files write them. */
function parseLines(text) {
  return [...text.matchAll(/^deb[ \t]+(?:\[([^\]]*)\][ \t]+)?(\S+)[ \t]+(\S+)[ \t]+(.*)$/gm)].map(
    ([, options = '', mirror, suite, components]) => ({
      mirror,
      suites: [suite],
      components: components.trim().split(/\s+/),
      keyring: /signed-by=(\/\S+)/.exec(options)?.[1],
    }),
  )
}

/** The Debian archive that these files of apt name, wherever it is kept: the one of this suite first, else of another. */
export function findMirror(texts, suite) {
  const sources = texts
    .flatMap((text) => [...parseParagraphs(text), ...parseLines(text)])
    .filter((one) => one && /^https?:/.test(one.mirror ?? '') && one.components.includes('main'))
  const found =
    sources.find(({ suites }) => suites.includes(suite)) ??
    sources.find(({ suites }) => suites.some((name) => DEBIAN_SUITES.test(name)))
  return { mirror: found?.mirror, keyring: found?.keyring }
}

/** What `apt-config shell` says of the proxies of apt, as the variables that other programs read. */
export function parseProxies(text) {
  const proxies = [...text.matchAll(/^(https?_proxy)='?([^'\n]*)'?$/gm)]
  return Object.fromEntries(proxies.map(([, name, value]) => [name, value]).filter(([, value]) => /:\/\//.test(value)))
}
