import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import Client from 'ssh2-sftp-client'
import { z } from 'zod'
import {
  ConnectionFault,
  type Connector,
  type ConnectorTools,
  defineConnectorField,
  type OpenedConnection,
  toConnectionFault,
} from './connector.ts'

const PORTS = [22, 2222]
const READY_TIMEOUT_MS = 15_000
const HOST_KEY_CHANGED =
  'La clé de ce serveur a changé\u00a0: rien n’a été envoyé. Demandez à son exploitant si c’est voulu\u00a0; si oui, acceptez la nouvelle clé, sinon quelqu’un s’interpose.'
const UNKNOWN_KEY =
  'La clé de ce serveur n’est pas encore connue\u00a0: rien n’a été envoyé. Reprenez la connexion\u00a0: son essai montre l’empreinte à vérifier.'

const SftpSettings = z.object({
  host: z.string().trim().min(1, 'Un nom de serveur est attendu, par exemple sftp.exemple.fr.').max(253),
  port: z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, 'Un numéro de port est attendu, par exemple 22.')
    .default('22'),
  user: z.string().trim().min(1, 'Un nom d’utilisateur est attendu.').max(100),
  password: z.string().max(1000).default(''),
  privateKey: z.string().max(16_000).default(''),
  passphrase: z.string().max(1000).default(''),
  folder: z.string().trim().max(500).default('.'),
})
const CompleteSftpSettings = SftpSettings.refine(({ password, privateKey }) => password !== '' || privateKey !== '', {
  path: ['password'],
  message: 'Un mot de passe ou une clé privée est attendu.',
})

/** As `ssh-keygen -l` shows it. */
const computeKeyFingerprint = (key: Buffer) =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

const FAULTS_BY_MESSAGE: [RegExp, string][] = [
  [
    /authentication methods failed/i,
    'Le serveur refuse cet utilisateur\u00a0: vérifiez le nom, le mot de passe ou la clé publique qu’il connaît.',
  ],
  [
    /parse privateKey|Unsupported key format|passphrase/i,
    'La clé privée ne se lit pas\u00a0: collez-la en entier, avec sa phrase secrète si elle en a une.',
  ],
  [
    /no space|quota|failure.*ENOSPC/i,
    'Il n’y a plus de place sur le serveur SFTP\u00a0: libérez-en, ou gardez-y moins de fichiers.',
  ],
  [
    /permission denied/i,
    'Le serveur SFTP refuse l’écriture dans ce dossier\u00a0: vérifiez les droits de l’utilisateur.',
  ],
  [/no such file/i, 'Ce dossier n’existe pas sur le serveur SFTP\u00a0: créez-le, ou donnez-en un autre.'],
]
function toSftpFault(error: unknown): ConnectionFault {
  if (error instanceof ConnectionFault) return error
  const said = error instanceof Error ? FAULTS_BY_MESSAGE.find(([words]) => words.test(error.message)) : undefined
  // Not retried: after repeated attempts with a wrong password, a server locks the account.
  return said
    ? new ConnectionFault(said[1], { hopeless: !/place/.test(said[1]), cause: error })
    : toConnectionFault(error)
}

type Session = { client: Client; folder: string; hostKey: string }

async function withSftpSession<T>(
  { outside }: ConnectorTools,
  { settings, hostKey }: OpenedConnection,
  work: (session: Session) => Promise<T>,
) {
  const { host = '', port = '22', user = '', password, privateKey, passphrase, folder = '.' } = settings
  const client = new Client()
  let seen = ''
  client.on('error', () => {}) // the call itself reports the error
  try {
    const sock = await outside.dial(host, Number(port))
    await client.connect({
      sock,
      username: user,
      ...(privateKey ? { privateKey, ...(passphrase && { passphrase }) } : { password }),
      readyTimeout: READY_TIMEOUT_MS,
      // The host key is checked before any secret is sent.
      hostVerifier: (key: Buffer) => {
        seen = computeKeyFingerprint(key)
        return hostKey === '' || hostKey === seen
      },
    })
    return await work({ client, folder: folder || '.', hostKey: seen })
  } catch (error) {
    if (seen && hostKey && seen !== hostKey)
      throw new ConnectionFault(HOST_KEY_CHANGED, { hopeless: true, offeredKey: seen, cause: error })
    throw toSftpFault(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The file is renamed once complete, so that readers of the folder never find half a file. */
async function uploadFile(client: Client, from: string | Buffer, folder: string, name: string) {
  const part = posix.join(folder, `.${name}.partie`)
  try {
    await client.put(typeof from === 'string' ? createReadStream(from) : from, part)
    await client.posixRename(part, posix.join(folder, name)).catch(async () => {
      await client.delete(posix.join(folder, name), true)
      await client.rename(part, posix.join(folder, name))
    })
  } catch (error) {
    await client.delete(part, true).catch(() => {})
    throw error
  }
}

export const sftpConnector: Connector = {
  kind: 'sftp',
  label: 'Dépôt SFTP',
  about: 'Dépose des fichiers sur le serveur d’un comptable, d’un partenaire ou de votre informatique.',
  can: ['deliver'],
  whereTo: ['host', 'port', 'user'],
  settings: CompleteSftpSettings,
  fields: [
    defineConnectorField({ name: 'host', label: 'Serveur', hint: 'Un nom public, par exemple sftp.exemple.fr.' }),
    defineConnectorField({ name: 'port', label: 'Port', type: 'number', initial: '22' }),
    defineConnectorField({ name: 'user', label: 'Utilisateur' }),
    defineConnectorField({
      name: 'password',
      label: 'Mot de passe',
      type: 'secret',
      optional: true,
      hint: 'Ou une clé privée, plus bas.',
    }),
    defineConnectorField({
      name: 'privateKey',
      label: 'Clé privée',
      type: 'long-secret',
      optional: true,
      hint: 'Au format OpenSSH ou PEM, en entier.',
    }),
    defineConnectorField({ name: 'passphrase', label: 'Phrase secrète de la clé', type: 'secret', optional: true }),
    defineConnectorField({
      name: 'folder',
      label: 'Dossier',
      initial: '.',
      optional: true,
      hint: 'Depuis l’accueil de l’utilisateur, ou en entier.',
    }),
  ],
  refusals({ outside }, { host = '', port = '22' }) {
    const message = outside.refusalOfHost(host, Number(port), PORTS)
    return message ? [{ field: message.includes('port ') ? 'port' : 'host', message }] : []
  },
  test: (tools, opened) =>
    withSftpSession(tools, opened, async ({ client, folder, hostKey }) => {
      const name = `.voisol-essai-${crypto.randomUUID()}`
      await uploadFile(client, Buffer.from('essai'), folder, name)
      await client.delete(posix.join(folder, name))
      return {
        message: 'Un fichier d’essai a été déposé puis retiré.',
        hostKey,
        facts: [{ label: 'Empreinte de la clé du serveur', value: hostKey, ok: true }],
      }
    }),
  deliver(tools, opened, { path, name }) {
    // A test shows the host key to a person for confirmation; a delivery cannot, so it needs a known key.
    if (opened.hostKey === '') throw new ConnectionFault(UNKNOWN_KEY, { hopeless: true })
    return withSftpSession(tools, opened, ({ client, folder }) => uploadFile(client, path, folder, name))
  },
}
