import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** AES-256-GCM with the place of the secret as associated data: a value copied to another row or company does not open. */
export type Secrets = ReturnType<typeof createSecrets>

export function createSecrets(masterKey: Buffer) {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `voisol ${use}`, 32))
  const sealing = derive('seal')
  const signing = derive('audit')
  return {
    seal(text: string, place: string): string {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed: string, place: string): string {
      const raw = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealing, raw.subarray(0, 12)).setAAD(Buffer.from(place))
      decipher.setAuthTag(raw.subarray(12, 28))
      return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign: (text: string) => createHmac('sha256', signing).update(text).digest(),
    /** What only this server can write for that use: nothing of another use passes for it. */
    stamp: (
      use: 'device' | 'token' | 'refresh' | 'effects' | 'export' | 'reply' | 'leave' | 'leave-report',
      text: string,
    ) =>
      createHmac('sha256', derive(`stamp ${use}`))
        .update(text)
        .digest('base64url'),
    /** What a text is known by again without being kept: equal texts of one use give equal prints, and only here. */
    print: (text: string, use: 'iban') =>
      createHmac('sha256', derive(`print ${use}`))
        .update(text)
        .digest('base64url'),
  }
}

export const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()
/** 256 bits: what a link, a session or a refresh is proved with. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')
