import { expect, test } from 'vitest'
import { createOutboundClient } from '../post/outbound-client.ts'
import { connectToHost, RefusedAddressError } from '../post/post.ts'
import { toConnectionFault } from './connector.ts'
import { CONNECTORS, findConnectorOfKind } from './connectors.ts'

const tools = { outside: createOutboundClient(), weather: { local: null } }
const INNER = [
  '127.0.0.1',
  'localhost',
  '0',
  '0x7f000001',
  '2130706433',
  '127.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fd00::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'intranet',
  'base.internal',
  'exemple.fr@127.0.0.1',
  '127.0.0.1#.exemple.fr',
  '１２７.0.0.1',
]
const SETTINGS: Record<string, (host: string) => Record<string, string>> = {
  sftp: (host) => ({ host, port: '22' }),
  smtp: (host) => ({ host, port: '465' }),
  s3: (host) => ({ endpoint: `https://${host}` }),
  weather: (host) => ({ baseUrl: `https://${host}/` }),
}

test('every connector that makes calls is tested with every forbidden address', () => {
  const calling = CONNECTORS.filter(({ can }) => !can.includes('feed')).map(({ kind }) => kind)
  expect(calling.sort()).toEqual(Object.keys(SETTINGS).sort())
})

test.each(Object.keys(SETTINGS).flatMap((kind) => INNER.map((host) => [kind, host])))(
  '%s refuses to connect to %s',
  async (kind, host) => {
    const settings = SETTINGS[kind]?.(host) ?? {}
    expect(findConnectorOfKind(kind)?.refusals(tools, settings)).toHaveLength(1)
    const gone = findConnectorOfKind(kind)?.test(tools, { settings, hostKey: '' }, 'a@exemple.fr')
    await expect(gone).rejects.toMatchObject({ hopeless: true })
  },
)

test.each(
  ['moi:secret@', 'moi@', ':secret@'].flatMap((who) => [
    ['s3', `${who}depot.exemple.fr`],
    ['weather', `${who}meteo.exemple.fr`],
  ]),
)('%s at %s: secrets have their own field, and are refused in an address', (kind, host) => {
  const [fault, ...others] = findConnectorOfKind(kind)?.refusals(tools, SETTINGS[kind]?.(host) ?? {}) ?? []
  expect(others).toEqual([])
  expect(fault?.message).toMatch(/sans nom d’utilisateur ni mot de passe/)
})

test('ports of other services are refused, those of each protocol allowed', () => {
  const of = (kind: string, port: string) =>
    findConnectorOfKind(kind)
      ?.refusals(tools, { host: 'depot.exemple.fr', port })
      .map(({ field }) => field)
  expect([of('sftp', '22'), of('sftp', '2222'), of('smtp', '587')]).toEqual([[], [], []])
  expect([of('sftp', '5432'), of('smtp', '22'), of('smtp', '25')]).toEqual([['port'], ['port'], ['port']])
})

test('a name that resolves to a private address is refused on connection', async () => {
  const lies = (_: string, __: unknown, done: (error: null, all: { address: string; family: number }[]) => void) =>
    done(null, [{ address: '10.0.0.7', family: 4 }])
  // Only the one form of lookup that the guard uses.
  const failed = await connectToHost('depot.exemple.fr', 22, true, lies as never).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(RefusedAddressError)
  expect(toConnectionFault(failed)).toMatchObject({
    message: expect.stringContaining('mène à une adresse privée'),
    hopeless: true,
  })
})

test.each([
  ['ENOTFOUND', 'n’existe pas dans le DNS', false],
  ['CERT_HAS_EXPIRED', 'a expiré', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'aucune autorité', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'un autre nom', true],
  ['ECONNREFUSED', 'refuse la connexion', false],
  ['ETIMEDOUT', 'n’a pas répondu à temps', false],
])('%s gives a sentence that does not repeat its cause', (code, words, hopeless) => {
  const fault = toConnectionFault(
    new Error('fetch failed', { cause: Object.assign(new Error('mot de passe'), { code }) }),
  )
  expect(fault).toMatchObject({ message: expect.stringContaining(words), hopeless })
  expect(fault.message).not.toContain('mot de passe')
})
