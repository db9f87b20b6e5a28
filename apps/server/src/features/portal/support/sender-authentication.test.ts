import { expect, test } from 'vitest'
import { isAuthenticSender, isStatedForged, parseAuthenticationResults } from './sender-authentication.ts'

const MX = 'mx.organisation.fr'
const FROM = 'zoe@exemple.fr'
const holds = (...headers: string[]) => isAuthenticSender(headers, MX, FROM)

test.each([
  [`${MX}; dmarc=pass header.from=exemple.fr`],
  [`${MX.toUpperCase()} 1; DMARC = pass (p=reject dis=none) header.from=Exemple.FR`],
  [`${MX}; spf=fail smtp.mailfrom=x@liste.net; dkim=pass (2048-bit key) header.d=exemple.fr header.s=s1`],
  [`${MX}; dkim=pass header.i=@exemple.fr`],
  [`${MX}; dkim=fail header.d=autre.fr; dkim=pass header.d=exemple.fr`],
  [`${MX}; dmarc=none; spf=pass smtp.mailfrom="zoe@exemple.fr"`],
  [`${MX}; spf=pass reason="a; b" smtp.mailfrom=exemple.fr`],
  [`${MX}; spf=pass smtp.mailfrom="zoe \\"du nord\\""@exemple.fr`],
])('%s: the sender is authentic', (header) => expect(holds(header)).toBe(true))

test.each([
  ['no statement', []],
  ['another server', ['mx.pirate.net; dmarc=pass header.from=exemple.fr']],
  ['a server whose name only begins so', [`${MX}.pirate.net; dmarc=pass header.from=exemple.fr`]],
  ['DMARC of another domain', [`${MX}; dmarc=pass header.from=pirate.net`]],
  ['DMARC that failed, whatever signed', [`${MX}; dmarc=fail; dkim=pass header.d=exemple.fr`]],
  ['a signature of another domain', [`${MX}; dkim=pass header.d=pirate.net`]],
  ['a signature of a domain that ends alike', [`${MX}; dkim=pass header.d=autre-exemple.fr`]],
  ['a signature of the whole country', [`${MX}; dkim=pass header.d=fr`]],
  ['a signature of a domain below', [`${MX}; dkim=pass header.d=pirate.exemple.fr`]],
  ['an identity below', [`${MX}; dkim=pass header.i=@pirate.exemple.fr`]],
  ['an envelope of a domain below', [`${MX}; spf=pass smtp.mailfrom=zoe@pirate.exemple.fr`]],
  ['a signature that failed', [`${MX}; dkim=fail header.d=exemple.fr`]],
  ['an envelope of another domain', [`${MX}; spf=pass smtp.mailfrom=zoe@pirate.net`]],
  ['an envelope that looks alike', [`${MX}; spf=pass smtp.mailfrom=zoe@exemple.fr@pirate.net`]],
  ['a word in a comment', [`${MX}; none (dmarc=pass header.from=exemple.fr)`]],
  ['a quoted local part that holds another address', [`${MX}; spf=pass smtp.mailfrom="x@exemple.fr"@pirate.net`]],
  [
    'a quoted local part that holds an escaped quote and a signature',
    [`${MX}; spf=pass smtp.mailfrom="a\\"; dkim=pass header.d=exemple.fr; x=\\""@pirate.net`],
  ],
  ['a quoted local part that holds a property', [`${MX}; spf=pass "smtp.mailfrom=exemple.fr"@pirate.net`]],
  ['a quote that never ends', [`${MX}; dkim=pass header.d=exemple.fr; spf=pass smtp.mailfrom=a"b@pirate.net`]],
  ['a word inside quotes', [`${MX}; spf=none reason="x; dmarc=pass header.from=exemple.fr"`]],
  ['a pass that names no domain', [`${MX}; dkim=pass; spf=pass`]],
  [
    'a forged statement below the genuine one',
    [`${MX}; dmarc=none; dkim=none; spf=fail smtp.mailfrom=x@pirate.net`, `${MX}; dkim=pass header.d=exemple.fr`],
  ],
])('%s: the sender is not proved', (_, headers) => expect(holds(...headers)).toBe(false))

test('statements of several programs of one server count together, the topmost of each method alone', () => {
  expect(holds(`${MX}; spf=fail smtp.mailfrom=x@liste.net`, `${MX}; dkim=pass header.d=exemple.fr`)).toBe(true)
  expect(holds(`${MX}; dkim=none`, `${MX}; dkim=pass header.d=exemple.fr`)).toBe(false)
})

test('a domain vouches for those below it, not for the one above nor for its neighbours', () => {
  const vouches = (domain: string, from: string) => isAuthenticSender([`${MX}; dkim=pass header.d=${domain}`], MX, from)
  expect(vouches('free.fr', 'x@mairie.free.fr')).toBe(true)
  expect(vouches('pirate.free.fr', 'x@free.fr')).toBe(false)
  expect(vouches('pirate.free.fr', 'x@mairie.free.fr')).toBe(false)
  expect(vouches('ree.fr', 'x@free.fr')).toBe(false)
  expect(vouches('fr', 'x@free.fr')).toBe(false)
})

test('DMARC of the receiving server, which knows public suffixes, counts for a domain below', () => {
  const statement = `${MX}; dmarc=pass header.from=exemple.fr; dkim=pass header.d=mail.exemple.fr`
  expect(isAuthenticSender([statement], MX, FROM)).toBe(true)
})

test('an address without a domain is nobody’s', () => {
  expect(isAuthenticSender([`${MX}; dmarc=pass`], MX, '')).toBe(false)
})

test('a domain that disowns the mail is believed, whoever says it', () => {
  expect(isStatedForged(['anybody; dmarc=fail'])).toBe(true)
  expect(isStatedForged(['anybody; dmarc=pass; dkim=fail'])).toBe(false)
  expect(isStatedForged([])).toBe(false)
})

test('text that is no statement is read as none', () => {
  for (const value of ['', ';', '((((', '"', `${MX}; =; a=`, '\\'])
    expect(parseAuthenticationResults(value).results.every(({ method }) => method !== 'dmarc')).toBe(true)
})
