import { createHash } from 'node:crypto'
import type { Consent } from '@voisol/contract/consents'
import { formatDwellingName } from '@voisol/contract/points'
import { REGULATORY_LABELS, type RegulatoryKind } from '@voisol/contract/regulatory'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { drawHeading, drawOpening, drawParagraph } from '@voisol/documents/pdf/blocks'
import { closePdf, openPdf } from '@voisol/documents/pdf/document'
import type { Brand } from '@voisol/documents/pdf/frame'
import { drawTable } from '@voisol/documents/pdf/table'
import { formatCount, formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import { and, desc, eq, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { loadBrand } from '../../../core/brand.ts'
import { storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { regulatoryExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { writeCsv } from '../../../files/csv.ts'
import { createZipStream } from '../../../files/zip.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { getCurrentConsentText, loadConsents } from '../../energy/consents/index.ts'
import { buildCoefficientFiles } from './coefficient-files.ts'
import {
  type ExportBuilder,
  type ExportContent,
  type ExportRequest,
  formatExportPeriod,
  requireExportPeriod,
} from './export-content.ts'
import {
  buildMovementsNotice,
  listCurrentParticipations,
  type RegulatoryParticipation,
} from './participation-movements.ts'
import { buildYearlyReport } from './yearly-report.ts'

const formatDayCell = (day: string | null) => (day ? formatFrenchDay(day) : '')

const toKilo = (value: number | null) => (value === null ? null : value / 1000)

const formatKilo = (value: number | null) => (value === null ? '' : formatFrenchNumber(value / 1000))

const formatPointAddress = ({ place, address, postalCode, city }: RegulatoryParticipation) =>
  place || [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** Missing data for which the distributor would return the list. */
function listMissingData(
  participations: RegulatoryParticipation[],
  consented: (seat: RegulatoryParticipation) => Consent | undefined,
): string[] {
  const describeLack = (count: number, what: string) =>
    count > 0 ? [`${formatCount(count, 'point', 'points')} ${what}`] : []
  return [
    ...describeLack(
      participations.filter(({ agreementSignedOn }) => !agreementSignedOn).length,
      'sans accord de participation signé',
    ),
    ...describeLack(
      participations.filter((seat) => !consented(seat)).length,
      'sans consentement à la collecte en cours',
    ),
    ...describeLack(participations.filter((seat) => !formatPointAddress(seat)).length, 'sans adresse'),
    ...describeLack(
      participations.filter(({ kind, siren }) => kind === 'organisation' && !siren).length,
      'd’une organisation sans SIREN',
    ),
  ]
}

/** The consent to data collection valid today, by participant. */
async function loadCollectionConsents(db: Db, companyId: number, participations: RegulatoryParticipation[]) {
  const consents = await loadConsents(db, companyId, [
    ...new Set(participations.map(({ participantId }) => participantId)),
  ])
  const validConsents = consents.filter(
    ({ purpose, state }) => purpose === 'collection' && (state === 'valid' || state === 'expiring'),
  )
  const byId = new Map(validConsents.map((consent) => [consent.participantId, consent]))
  return ({ participantId }: RegulatoryParticipation) => byId.get(participantId)
}

const listParticipationIds = (seats: RegulatoryParticipation[]) => seats.map(({ participationId }) => participationId)

/** A battery is on both lists, since it consumes and injects. */
const buildConsumersAnnex: ExportBuilder = async (db, _deps, { companyId }, { operation }): Promise<ExportContent> => {
  const all = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const participations = all.filter(({ direction }) => direction === 'consumption')
  const getConsent = await loadCollectionConsents(db, companyId, participations)
  return {
    header: [
      'Opération',
      'PRM',
      'Nom ou raison sociale',
      'SIREN',
      'Logement ou site',
      'Adresse du point',
      'Segment',
      'Puissance souscrite (kVA)',
      'Batterie',
      'E-mail',
      'Téléphone',
      'Entrée',
      'Sortie',
      'Accord signé le',
      'Consentement jusqu’au',
    ],
    rows: participations.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      formatPointAddress(seat),
      seat.segment,
      toKilo(seat.subscribedVa),
      seat.storage ? 'oui' : '',
      seat.email,
      seat.phone,
      formatDayCell(seat.startsOn),
      formatDayCell(seat.endsOn),
      formatDayCell(seat.agreementSignedOn),
      formatDayCell(getConsent(seat)?.expiresOn ?? null),
    ]),
    subjects: listParticipationIds(participations),
    missing: listMissingData(participations, getConsent),
    sheet: {
      lead: `${formatCount(participations.length, 'point', 'points')} de soutirage participent à l’opération ou y entreront.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Consommateur', part: 34 },
        { head: 'Segment', part: 12 },
        { head: 'kVA', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: participations.map((seat) => [
        seat.prm,
        formatDwellingName(seat.label, seat.name) + (seat.storage ? ' (batterie)' : ''),
        seat.segment,
        formatKilo(seat.subscribedVa),
        formatDayCell(seat.startsOn),
        formatDayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}

const buildProducersAnnex: ExportBuilder = async (db, _deps, { companyId }, { operation }): Promise<ExportContent> => {
  const all = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const participations = all.filter(({ direction }) => direction === 'production')
  const getConsent = await loadCollectionConsents(db, companyId, participations)
  const source = ({ storage }: RegulatoryParticipation) => (storage ? 'Stockage' : 'Solaire photovoltaïque')
  const watts = participations.reduce((sum, { peakWatts }) => sum + (peakWatts ?? 0), 0)
  return {
    header: [
      'Opération',
      'PRM',
      'Nom ou raison sociale',
      'SIREN',
      'Installation',
      'Adresse du point',
      'Filière',
      'Puissance crête (kWc)',
      'Mise en service',
      'E-mail',
      'Téléphone',
      'Entrée',
      'Sortie',
      'Accord signé le',
    ],
    rows: participations.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      formatPointAddress(seat),
      source(seat),
      toKilo(seat.peakWatts),
      formatDayCell(seat.commissionedOn),
      seat.email,
      seat.phone,
      formatDayCell(seat.startsOn),
      formatDayCell(seat.endsOn),
      formatDayCell(seat.agreementSignedOn),
    ]),
    subjects: listParticipationIds(participations),
    missing: [
      ...listMissingData(participations, getConsent),
      ...(participations.some(({ peakWatts, storage }) => !storage && !peakWatts)
        ? ['une installation sans puissance crête']
        : []),
    ],
    sheet: {
      lead: `${formatCount(participations.length, 'point', 'points')} d’injection, ${formatKilo(watts)} kWc au total.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Producteur', part: 34 },
        { head: 'Filière', part: 18 },
        { head: 'kWc', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: participations.map((seat) => [
        seat.prm,
        formatDwellingName(seat.label, seat.name),
        source(seat),
        formatKilo(seat.peakWatts),
        formatDayCell(seat.startsOn),
        formatDayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}

const STATE_LABELS: Record<Consent['state'], string> = {
  valid: 'En cours',
  expiring: 'Finit bientôt',
  expired: 'Fini',
  withdrawn: 'Retiré',
}

const METHOD_LABELS: Record<Consent['method'], string> = {
  portal: 'Portail',
  paper: 'Papier',
  import: 'Reprise',
  joining: 'Adhésion en ligne',
}

const LISTED_PURPOSES: Consent['purpose'][] = ['collection', 'analysis', 'comparison', 'advice']

const getPurposeTitle = (purpose: Consent['purpose']) => getCurrentConsentText(purpose)?.title ?? purpose

const formatInstantDay = (instant: string) =>
  new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' }).format(new Date(instant))

/** Each consent of the members with its proof, and the texts that were shown. */
const buildConsentsPack: ExportBuilder = async (db, _deps, { companyId }, { operation }): Promise<ExportContent> => {
  const participations = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const namesByParticipant = new Map(participations.map(({ participantId, name }) => [participantId, name]))
  const prms = Map.groupBy(participations, ({ participantId }) => participantId)
  const consents = await loadConsents(db, companyId, [...namesByParticipant.keys()])
  const order = (consent: Consent) => [...namesByParticipant.keys()].indexOf(consent.participantId)
  const sorted = consents.toSorted((a, b) => order(a) - order(b))
  const withoutConsent = [...namesByParticipant.keys()].filter(
    (id) =>
      !consents.some((one) => one.participantId === id && one.purpose === 'collection' && one.state !== 'withdrawn'),
  )
  return {
    header: [
      'Participant',
      'PRM',
      'Finalité',
      'Version du texte',
      'Donné le',
      'Moyen',
      'Enregistré par',
      'Jusqu’au',
      'Retiré le',
      'État',
    ],
    rows: sorted.map((one) => [
      namesByParticipant.get(one.participantId) ?? '',
      [...new Set((prms.get(one.participantId) ?? []).map(({ prm }) => prm))].join(', '),
      getPurposeTitle(one.purpose),
      one.textVersion,
      formatInstantDay(one.givenAt),
      METHOD_LABELS[one.method],
      one.recordedBy,
      formatFrenchDay(one.expiresOn),
      one.withdrawnAt ? formatInstantDay(one.withdrawnAt) : '',
      STATE_LABELS[one.state],
    ]),
    subjects: sorted.map(({ id }) => id),
    missing:
      withoutConsent.length > 0
        ? [`${formatCount(withoutConsent.length, 'participant', 'participants')} sans consentement à la collecte`]
        : [],
    sheet: {
      lead: `${formatCount(sorted.length, 'consentement', 'consentements')} de ${formatCount(namesByParticipant.size, 'participant', 'participants')}.`,
      columns: [
        { head: 'Participant', part: 30 },
        { head: 'Finalité', part: 28 },
        { head: 'Donné le', part: 14 },
        { head: 'Jusqu’au', part: 14 },
        { head: 'État', part: 14 },
      ],
      rows: sorted.map((one) => [
        namesByParticipant.get(one.participantId) ?? '',
        getPurposeTitle(one.purpose),
        formatInstantDay(one.givenAt),
        formatFrenchDay(one.expiresOn),
        STATE_LABELS[one.state],
      ]),
      after: LISTED_PURPOSES.flatMap((purpose) => {
        const text = getCurrentConsentText(purpose)
        return text ? [{ title: `${text.title} (texte ${text.version})`, text: text.text }] : []
      }),
    },
  }
}

export const EXPORT_BUILDERS: Record<RegulatoryKind, ExportBuilder> = {
  consumers: buildConsumersAnnex,
  producers: buildProducersAnnex,
  movements: buildMovementsNotice,
  coefficients: buildCoefficientFiles,
  consents: buildConsentsPack,
  yearly: buildYearlyReport,
}
const EXPORT_FILE_NAMES: Record<RegulatoryKind, string> = {
  consumers: 'liste-consommateurs',
  producers: 'liste-producteurs',
  movements: 'avis-mouvements',
  coefficients: 'coefficients',
  consents: 'consentements',
  yearly: 'bilan-annuel',
}

export const hashExportContent = ({ header, rows, files = [] }: ExportContent) => {
  const hash = createHash('sha256').update(JSON.stringify([header, rows]))
  for (const { name, content } of files) hash.update(name).update(content)
  return hash.digest('hex')
}

async function zipFiles(files: NonNullable<ExportContent['files']>, on: string): Promise<Uint8Array> {
  async function* entries() {
    for (const file of files) yield { ...file, on }
  }
  const parts: Uint8Array[] = []
  for await (const part of createZipStream(entries())) parts.push(part)
  return Buffer.concat(parts)
}

const isVersionOfExport = ({ kind, operation, period }: ExportRequest, companyId: number) =>
  and(
    eq(regulatoryExports.companyId, companyId),
    eq(regulatoryExports.operationId, operation.id),
    eq(regulatoryExports.kind, kind),
    eq(regulatoryExports.period, period),
  )

/** The last version of a requested export. */
export const findLastExport = async (db: Db, companyId: number, request: ExportRequest) =>
  (
    await db
      .select()
      .from(regulatoryExports)
      .where(isVersionOfExport(request, companyId))
      .orderBy(desc(regulatoryExports.number))
      .limit(1)
  )[0]

type CreateExportInput = { operationId: string; kind: RegulatoryKind; period: string }

/** Creates a version of an export, or returns the last one if nothing changed. */
export async function createRegulatoryExport(
  tx: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  input: CreateExportInput,
) {
  requireExportPeriod(input.kind, input.period)
  const operation = await requireVisibleOperation(tx, actor, input.operationId)
  const request: ExportRequest = { kind: input.kind, operation, period: input.period }
  const { companyId } = actor
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`regulatory ${companyId} ${operation.id}`}, 0))`)
  const content = await EXPORT_BUILDERS[request.kind](tx, deps, actor, request)
  const hash = hashExportContent(content)
  const last = await findLastExport(tx, companyId, request)
  if (last?.hash === hash) return { id: last.id, already: true, operation }
  const number = (last?.number ?? 0) + 1
  const day = getToday()
  const name = [EXPORT_FILE_NAMES[request.kind], request.period, `v${number}`].filter(Boolean).join('-')
  const table = content.files
    ? { name: `${name}.zip`, mediaType: 'application/zip', content: await zipFiles(content.files, day) }
    : { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(writeCsv(content.header, content.rows)) }
  const file = await storeFile(tx, deps.files, companyId, table)
  const pdfFile = await storeFile(tx, deps.files, companyId, {
    name: `${name}.pdf`,
    mediaType: 'application/pdf',
    content: await buildExportPdf(request, content, { number, day, brand: await loadBrand(tx, companyId) }),
  })
  const [row] = await tx
    .insert(regulatoryExports)
    .values({
      companyId,
      operationId: operation.id,
      kind: request.kind,
      period: request.period,
      number,
      rows: content.rows.length,
      hash,
      subjects: content.subjects,
      fileId: file.id,
      paperId: pdfFile.id,
      createdBy: formatActorName(actor),
    })
    .returning({ id: regulatoryExports.id })
  if (!row) throw new AppError('internal')
  const { kind, period } = request
  const data = { exportId: row.id, operationId: operation.id, kind, period, number }
  await recordEvent(tx, { companyId, name: 'regulatory.issued', object: row.id, data })
  return { id: row.id, already: false, operation }
}

type ExportVersion = { number: number; day: string; brand: Brand }

/** An export as a PDF to read, sign or attach to a letter. */
function buildExportPdf(
  { kind, operation, period }: ExportRequest,
  content: ExportContent,
  { number, day, brand }: ExportVersion,
) {
  const { title, purpose } = REGULATORY_LABELS[kind]
  const { lead, columns, rows, after = [] } = content.sheet
  const createdAt = new Date(`${day}T12:00:00Z`)
  const pdfDocument = openPdf({ title, subject: operation.name, author: brand.name, createdAt })
  const about = [operation.name, operation.accNumber, operation.pmoName, formatExportPeriod(period)].filter(Boolean)
  drawOpening(pdfDocument, title, about.join(' · '), `Version ${number}, ${formatLongDay(day)}`, brand)
  drawParagraph(pdfDocument, purpose)
  drawParagraph(pdfDocument, lead)
  if (content.missing.length > 0) drawParagraph(pdfDocument, `Il manque\u00a0: ${content.missing.join(', ')}.`)
  if (rows.length > 0) drawTable(pdfDocument, columns, rows, { total: kind === 'yearly' })
  for (const { title: head, text } of after) {
    drawHeading(pdfDocument, 2, head)
    drawParagraph(pdfDocument, text)
  }
  return closePdf(pdfDocument, { title, brand })
}
