const NAMED_ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  thinsp: '\u2009',
  shy: '\u00ad',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  euro: '€',
  deg: '°',
  times: '×',
  middot: '·',
  bull: '•',
  sup2: '²',
  sup3: '³',
  frac12: '½',
  copy: '©',
  reg: '®',
}

function decodeNumericEntity(digits: string, base: number): string | undefined {
  const code = Number.parseInt(digits, base)
  const isText =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code < 0xe000)
  return isText ? String.fromCodePoint(code) : undefined
}

/** `&nbsp;` and similar entities become their character; an unknown one stays as typed. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,7}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name) return (Object.hasOwn(NAMED_ENTITIES, name) ? NAMED_ENTITIES[name] : undefined) ?? whole
      return (decimal ? decodeNumericEntity(decimal, 10) : decodeNumericEntity(hex, 16)) ?? whole
    },
  )
