import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type CborValue = number | string | Uint8Array | Map<number | string, CborValue>

const encodeCborHead = (major: number, n: number) =>
  n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255]

/** The part of CBOR that an authenticator writes. */
function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number')
    return Buffer.from(value < 0 ? encodeCborHead(1, -1 - value) : encodeCborHead(0, value))
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from(encodeCborHead(3, Buffer.byteLength(value))), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([Buffer.from(encodeCborHead(2, value.length)), value])
  return Buffer.concat([
    Buffer.from(encodeCborHead(5, value.size)),
    ...[...value].flatMap(([k, v]) => [encodeCbor(k), encodeCbor(v)]),
  ])
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const USER_PRESENT_FLAG = 0x01
const USER_VERIFIED_FLAG = 0x04
const ATTESTED_DATA_FLAG = 0x40

type AuthenticatorOverrides = { origin?: string; rpId?: string; verified?: boolean; counter?: number; type?: string }

/** A simulated passkey authenticator, which can also lie. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  const client = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const data = (
    flags: number,
    { rpId = new URL(origin).hostname, verified = true, counter: count }: AuthenticatorOverrides,
  ) => {
    const bytes = Buffer.alloc(37)
    sha256(rpId).copy(bytes)
    bytes[32] = flags | USER_PRESENT_FLAG | (verified ? USER_VERIFIED_FLAG : 0)
    bytes.writeUInt32BE(count ?? ++counter, 33)
    return bytes
  }
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  return {
    id: credential.id,
    create(challenge: string, more: AuthenticatorOverrides = {}) {
      const key = new Map<number | string, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, encodeCbor(key)])
      const authData = Buffer.concat([data(ATTESTED_DATA_FLAG, more), attested])
      const statement = new Map<number | string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const clientDataJSON = client(more.type ?? 'webauthn.create', challenge, more.origin ?? origin).toString(
        'base64url',
      )
      const response = {
        clientDataJSON,
        attestationObject: encodeCbor(statement).toString('base64url'),
        transports: ['internal'],
      }
      return { ...credential, response, clientExtensionResults: {} }
    },
    get(challenge: string, more: AuthenticatorOverrides & { userHandle?: string } = {}) {
      const authData = data(0, more)
      const clientData = client(more.type ?? 'webauthn.get', challenge, more.origin ?? origin)
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(clientData)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(more.userHandle && { userHandle: more.userHandle }),
      }
      return { ...credential, response, clientExtensionResults: {} }
    },
  }
}
