import { createReadStream } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { z } from 'zod'
import { sha256 } from '../../secrets.ts'
import {
  ConnectionFault,
  type Connector,
  type ConnectorTools,
  defineConnectorField,
  type OpenedConnection,
  requireNotHtml,
  toConnectionFault,
} from './connector.ts'

const REQUEST_TIMEOUT_MS = 60_000
/** Large files get more time: half a megabyte a second is the slowest line allowed for. */
const MIN_BYTES_PER_MS = 500

const requiredText = (what: string) => z.string().trim().min(1, `${what} est attendu.`).max(500)
const S3Settings = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: 'Une adresse est attendue, par exemple https://s3.exemple.fr.' }),
  region: requiredText('Une région').max(60),
  bucket: z
    .string()
    .trim()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'Un nom de compartiment est attendu\u00a0: minuscules, chiffres, points et tirets.',
    ),
  prefix: z
    .string()
    .trim()
    .regex(/^(?:[\w.-]+\/)*$/, 'Un préfixe finit par «\u00a0/\u00a0», par exemple voisol/.')
    .max(200)
    .default(''),
  keyId: requiredText('Un identifiant de clé'),
  secret: requiredText('Une clé secrète'),
})

const BUCKET_FULL =
  'Le compartiment est plein, ou son quota atteint\u00a0: agrandissez-le, ou supprimez-y d’anciens fichiers.'
const KEY_REFUSED =
  'Le fournisseur refuse cette clé\u00a0: vérifiez l’identifiant et la clé secrète, ou créez-en une autre.'
const WRONG_REGION = 'Ce compartiment est dans une autre région\u00a0: corrigez la région, ou l’adresse du fournisseur.'
const FAULTS_BY_S3_CODE: Record<string, [message: string, hopeless: boolean]> = {
  InvalidAccessKeyId: [KEY_REFUSED, true],
  SignatureDoesNotMatch: [KEY_REFUSED, true],
  ExpiredToken: [KEY_REFUSED, true],
  AccessDenied: [
    'Cette clé n’a pas le droit d’écrire ou d’effacer dans ce compartiment\u00a0: donnez-lui les deux.',
    true,
  ],
  AllAccessDisabled: ['Le fournisseur a fermé ce compartiment\u00a0: voyez avec lui.', true],
  NoSuchBucket: ['Ce compartiment n’existe pas\u00a0: vérifiez son nom, ou créez-le.', true],
  AuthorizationHeaderMalformed: [WRONG_REGION, true],
  IllegalLocationConstraintException: [WRONG_REGION, true],
  PermanentRedirect: [WRONG_REGION, true],
  QuotaExceeded: [BUCKET_FULL, false],
  XMinioStorageFull: [BUCKET_FULL, false],
  InsufficientStorage: [BUCKET_FULL, false],
  EntityTooLarge: ['Ce fichier est plus grand que ce que le compartiment admet\u00a0: relevez sa limite.', true],
  RequestTimeTooSkewed: ['L’horloge de ce serveur et celle du fournisseur diffèrent trop\u00a0: réglez-les.', true],
  SlowDown: ['Le fournisseur demande de ralentir\u00a0: l’envoi sera repris plus tard.', false],
}
const BY_STATUS: Record<number, [message: string, hopeless: boolean]> = {
  301: [WRONG_REGION, true],
  307: [WRONG_REGION, true],
  401: [KEY_REFUSED, true],
  403: [KEY_REFUSED, true],
  404: ['Ce compartiment n’existe pas\u00a0: vérifiez son nom et l’adresse du fournisseur.', true],
  507: [BUCKET_FULL, false],
}

function toS3Fault(response: Response, text: string): ConnectionFault {
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
  const known = FAULTS_BY_S3_CODE[code]
  if (!known) requireNotHtml(response, text)
  const [message, hopeless] = known ??
    BY_STATUS[response.status] ?? [
      `Le fournisseur a répondu ${response.status}\u00a0: réessayez plus tard, ou voyez avec lui.`,
      false,
    ]
  return new ConnectionFault(message, { hopeless })
}

type RequestBody = { path?: string; content?: Buffer; bytes: number; hash: string; mediaType: string }

async function requestS3(
  { outside }: ConnectorTools,
  { settings }: OpenedConnection,
  method: string,
  name: string,
  body?: RequestBody,
) {
  const { endpoint = '', bucket, prefix = '', keyId = '', secret = '', region = '' } = settings
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, region, service: 's3' })
  const url = `${endpoint.replace(/\/$/, '')}/${bucket}/${prefix}${encodeURIComponent(name)}`
  const refusal = outside.refusal(url)
  if (refusal) throw new ConnectionFault(refusal, { hopeless: true })
  const about = body && {
    'content-type': body.mediaType,
    'content-length': String(body.bytes),
    'x-amz-content-sha256': body.hash,
  }
  try {
    const signed = await client.sign(url, { method, ...(about && { headers: about }) })
    const headers = Object.fromEntries(signed.headers)
    const patience = REQUEST_TIMEOUT_MS + Math.ceil((body?.bytes ?? 0) / MIN_BYTES_PER_MS)
    const content = body?.path ? createReadStream(body.path) : body?.content
    const response = await outside.fetch(url, { method, headers: { ...headers, ...about }, body: content, patience })
    const text = await response.text()
    if (!response.ok) throw toS3Fault(response, text)
    requireNotHtml(response, text)
  } catch (error) {
    throw toConnectionFault(error)
  }
}

export const s3Connector: Connector = {
  kind: 's3',
  label: 'Compartiment S3',
  about: 'Dépose des fichiers dans un stockage compatible S3, chez un hébergeur ou chez vous.',
  can: ['deliver'],
  whereTo: ['endpoint', 'keyId'],
  settings: S3Settings,
  fields: [
    defineConnectorField({
      name: 'endpoint',
      label: 'Adresse du fournisseur',
      hint: 'Par exemple https://s3.fr-par.exemple.fr.',
    }),
    defineConnectorField({ name: 'region', label: 'Région', hint: 'Par exemple fr-par ou eu-west-3.' }),
    defineConnectorField({ name: 'bucket', label: 'Compartiment' }),
    defineConnectorField({
      name: 'prefix',
      label: 'Préfixe',
      optional: true,
      hint: 'Devant le nom de chaque fichier, par exemple voisol/.',
    }),
    defineConnectorField({ name: 'keyId', label: 'Identifiant de clé' }),
    defineConnectorField({ name: 'secret', label: 'Clé secrète', type: 'secret' }),
  ],
  refusals({ outside }, { endpoint = '' }) {
    const message = outside.refusal(endpoint)
    return message ? [{ field: 'endpoint', message }] : []
  },
  async test(tools, opened) {
    const name = `voisol-essai-${crypto.randomUUID()}`
    const content = Buffer.from('essai')
    const hash = sha256(content).toString('hex')
    await requestS3(tools, opened, 'PUT', name, { content, bytes: content.length, hash, mediaType: 'text/plain' })
    await requestS3(tools, opened, 'DELETE', name)
    return { message: 'Un objet d’essai a été écrit puis effacé.', hostKey: '', facts: [] }
  },
  deliver: (tools, opened, { path, name, bytes, sha256: hash, mediaType }) =>
    requestS3(tools, opened, 'PUT', name, { path, bytes, hash, mediaType }),
}
