import { formatCount, formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import { loadBrand } from '../../../core/brand.ts'
import { type SignableText, toSignableText } from '../../../core/signature.ts'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import type { ApplicationRow } from './application-state.ts'
import type { SignedDocument } from './paper-task.ts'

/** Default texts until the organiser writes their own. */
export const DEFAULT_JOIN_TEXTS = {
  presentation:
    'Des panneaux solaires du voisinage produisent de l’électricité, et nous nous la partageons. Vous gardez votre fournisseur et votre compteur\u00a0: seule la part locale de votre consommation change de prix.',
  conditions:
    'Habiter ou travailler dans le périmètre de l’opération, avoir un compteur communicant, et ne prendre part à aucune autre opération d’autoconsommation collective.',
  agreement:
    'Je demande à prendre part à l’opération et à devenir membre de la personne morale organisatrice.\n\nJe conserve mon contrat de fourniture pour le complément. L’électricité locale qui m’est attribuée m’est facturée au prix de l’opération, selon la clé de répartition en vigueur.\n\nJ’autorise l’organisateur à me déclarer auprès du gestionnaire de réseau, qui lui transmet mes mesures selon les accords que je donne.',
}

export const formatKwhPrice = (price: number) => `${formatFrenchNumber(price / 10_000)}\u00a0€ par kWh hors taxes`

type TextContext = {
  operation: { name: string; accNumber: string | null }
  organiser: string
  noticeDays: number
}
type AgreementContext = TextContext & {
  agreement: string
  agreementVersion: number
  conditions: string
  price: number | null
}

const formatAddress = ({ address, postalCode, city }: Pick<ApplicationRow, 'address' | 'postalCode' | 'city'>) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** The agreement that an applicant signs: parties, meter, terms, price and how to leave. */
export function buildAgreementText(row: ApplicationRow, frame: AgreementContext): SignableText {
  const { operation, organiser, agreement, agreementVersion, conditions, price, noticeDays } = frame
  const siren = row.siren && `, SIREN ${row.siren}`
  const by = row.participantKind === 'organisation' ? `, par ${row.firstName} ${row.lastName}` : ''
  return toSignableText(
    [
      `Accord de participation à l’opération d’autoconsommation collective «\u00a0${operation.name}\u00a0»${operation.accNumber ? ` (${operation.accNumber})` : ''}, version ${agreementVersion}.`,
      `Organisateur\u00a0: ${organiser}.`,
      `Participant\u00a0: ${row.name}${siren}${by}, ${formatAddress(row)}. Point de livraison (PRM)\u00a0: ${row.prm}.`,
      agreement,
      ...(conditions ? [`Conditions\u00a0: ${conditions}`] : []),
      price === null
        ? 'Prix\u00a0: celui du tarif de l’opération qui s’applique au participant.'
        : `Prix de l’électricité locale à ce jour\u00a0: ${formatKwhPrice(price)}. Tout changement est annoncé avant d’avoir effet.`,
      `Départ\u00a0: à tout moment, avec un préavis de ${formatCount(noticeDays, 'jour', 'jours')} et sans frais, depuis l’espace personnel.`,
    ].join('\n\n'),
  )
}

type DepartureContext = TextContext & {
  participant: string
  prm: string
  kind: 'leave' | 'move'
  on: string
}

/** The text that a leaving member signs, with the effective day and the consequences. */
export const buildDepartureText = ({
  operation,
  organiser,
  participant,
  prm,
  kind,
  on,
  noticeDays,
}: DepartureContext): SignableText =>
  toSignableText(
    [
      `Demande de départ de l’opération d’autoconsommation collective «\u00a0${operation.name}\u00a0»${operation.accNumber ? ` (${operation.accNumber})` : ''}.`,
      `Organisateur\u00a0: ${organiser}.`,
      `Participant\u00a0: ${participant}. Point de livraison (PRM)\u00a0: ${prm}.`,
      `${kind === 'move' ? 'Je déménage et je' : 'Je'} demande à quitter l’opération le ${formatFrenchDay(on)}, après un préavis de ${formatCount(noticeDays, 'jour', 'jours')} au moins. Ce jour-là, ce point ne reçoit plus d’énergie partagée et mon fournisseur livre toute ma consommation.`,
      'L’énergie reçue jusqu’à la veille m’est facturée. Mes factures et mes paiements sont gardés dix ans, comme la loi le demande.',
    ].join('\n\n'),
  )

type DocumentDeps = Pick<Deps, 'compute' | 'files'> & { db: Db; signal?: AbortSignal | undefined }

/** Stores the signed text and its proof as a PDF that both parties can download. */
export async function storeSignedDocument(
  { db, compute, files: store, signal }: DocumentDeps,
  companyId: number,
  { name, ...paper }: Omit<SignedDocument, 'brand'> & { name: string },
) {
  const drawn = await compute(
    'joining.paper',
    { ...paper, brand: await loadBrand(db, companyId) },
    { companyId, signal },
  )
  return storeFile(db, store, companyId, { name, mediaType: 'application/pdf', content: drawn })
}

/** The caller has checked access to the application. */
export async function loadSignedDocumentFile(db: Db, store: FileStore, { companyId, fileId }: ApplicationRow) {
  if (!fileId) throw new AppError('not-found')
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
  const content = file && (await store.get(getFileKey(file)))
  if (!file || !content) throw new Error(`file store: the paper of application ${fileId} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}
