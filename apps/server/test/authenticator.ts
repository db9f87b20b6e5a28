import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Value = number | string | Uint8Array | Map<number | string, Value>

const head = (major: number, n: number) =>
  n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255]

/** As much of CBOR as an authenticator writes. */
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return Buffer.from(value < 0 ? head(1, -1 - value) : head(0, value))
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from(head(3, Buffer.byteLength(value))), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([Buffer.from(head(2, value.length)), value])
  return Buffer.concat([Buffer.from(head(5, value.size)), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v)])])
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const UP = 0x01
const UV = 0x04
const ATTESTED = 0x40

type More = { origin?: string; rpId?: string; verified?: boolean; counter?: number; type?: string }

/** A passkey of our own making, that can also lie. */
export function makeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  const client = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const data = (flags: number, { rpId = new URL(origin).hostname, verified = true, counter: count }: More) => {
    const bytes = Buffer.alloc(37)
    sha256(rpId).copy(bytes)
    bytes[32] = flags | UP | (verified ? UV : 0)
    bytes.writeUInt32BE(count ?? ++counter, 33)
    return bytes
  }
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  return {
    id: credential.id,
    create(challenge: string, more: More = {}) {
      const key = new Map<number | string, Value>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)])
      const authData = Buffer.concat([data(ATTESTED, more), attested])
      const statement = new Map<number | string, Value>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const clientDataJSON = client(more.type ?? 'webauthn.create', challenge, more.origin ?? origin).toString(
        'base64url',
      )
      const response = {
        clientDataJSON,
        attestationObject: cbor(statement).toString('base64url'),
        transports: ['internal'],
      }
      return { ...credential, response, clientExtensionResults: {} }
    },
    get(challenge: string, more: More & { userHandle?: string } = {}) {
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
