import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { ENERGY_SOURCE_LABELS, INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { toGridPart, toLocalPart } from '../../../components/stack/energy-parts.ts'
import { ShareFigures } from '../../../components/stack/share-bar.tsx'
import { formatInvoicePeriod } from '../../../lib/billing-labels.ts'
import { formatDate, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { InvoiceLines } from './invoice-lines.tsx'
import { formatDocumentKwh } from './labels.ts'

type Snapshot = InvoiceSnapshot
type Party = Snapshot['seller'] | Snapshot['buyer']

function PartyIdentity({ title, party, more }: { title: string; party: Party; more?: string[] }) {
  const lines = [party.address, `${party.postalCode} ${party.city}`.trim(), ...(more ?? [])].filter(Boolean)
  return (
    <div className="min-w-0">
      <p className="text-[0.8125rem] text-ink-soft">{title}</p>
      <p className="mt-0.5 font-medium">{party.name}</p>
      {lines.map((line) => (
        <p key={line} className="text-[0.8125rem] text-ink-soft">
          {line}
        </p>
      ))}
    </div>
  )
}

const getSellerDetails = ({ siren, vatNumber }: Snapshot['seller']) => [
  siren && `SIREN ${siren}`,
  vatNumber && `TVA ${vatNumber}`,
]
const getBuyerDetails = ({ jointHolders, siret, serviceCode, engagement }: Snapshot['buyer']) => [
  jointHolders.length ? `avec ${jointHolders.join(', ')}` : '',
  siret && `SIRET ${siret}`,
  serviceCode && `Service ${serviceCode}`,
  engagement && `Engagement ${engagement}`,
]
const withoutEmpty = (texts: (string | false)[]) => texts.filter((word): word is string => Boolean(word))

const DocumentHeader = ({ snapshot }: { snapshot: Snapshot }) => (
  <header className="grid gap-6 border-b border-line p-5 sm:p-8">
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div>
        <p className="text-[0.8125rem] font-medium tracking-wide text-ink-soft uppercase">
          {INVOICE_KIND_LABELS[snapshot.kind]}
        </p>
        <p className="tabular mt-1 text-xl font-semibold tracking-tight">{snapshot.number}</p>
        <p className="mt-1 text-body text-ink-soft">
          {formatInvoicePeriod(snapshot)} · {snapshot.operation.name}
          {snapshot.operation.accNumber && ` · ${snapshot.operation.accNumber}`}
        </p>
      </div>
      <dl className="grid gap-0.5 text-[0.8125rem] sm:text-right">
        <div>
          <dt className="inline text-ink-soft">Émis le </dt>
          <dd className="tabular inline">{formatDate(snapshot.issuedOn)}</dd>
        </div>
        {snapshot.typeCode === 380 && (
          <div>
            <dt className="inline text-ink-soft">
              {snapshot.debit ? 'Prélevé le\u00a0' : 'À régler au plus tard le\u00a0'}
            </dt>
            <dd className="tabular inline font-medium">{formatDate(snapshot.debit?.collectionOn ?? snapshot.dueOn)}</dd>
          </div>
        )}
      </dl>
    </div>
    <div className="grid gap-6 sm:grid-cols-2">
      <PartyIdentity title="Vendeur" party={snapshot.seller} more={withoutEmpty(getSellerDetails(snapshot.seller))} />
      <PartyIdentity title="Acheteur" party={snapshot.buyer} more={withoutEmpty(getBuyerDetails(snapshot.buyer))} />
    </div>
    {snapshot.debit && (
      <p className="text-[0.8125rem] text-ink-soft">
        Prélèvement par {snapshot.debit.creditor} sur le compte finissant par {snapshot.debit.ibanEnd}&nbsp;: mandat{' '}
        {snapshot.debit.rum}, ICS {snapshot.debit.ics}.
      </p>
    )}
    {snapshot.mandate && (
      <p className="text-[0.8125rem] text-ink-soft">
        Établi par {snapshot.mandate.by} au nom et pour le compte de {snapshot.seller.name}.
      </p>
    )}
  </header>
)

/** How much of what was drawn was local; whole only where every meter's is known. */
function DocumentEnergy({ points }: Pick<Snapshot, 'points'>) {
  if (points.length === 0) return null
  const local = points.reduce((sum, { localWh }) => sum + localWh, 0)
  const total = points.every(({ totalWh }) => totalWh !== null)
    ? points.reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0)
    : null
  const sources = [...new Set(points.map(({ source }) => ENERGY_SOURCE_LABELS[source]))].join(', ')
  return (
    <section aria-label="Énergie" className="grid gap-2 border-b border-line p-5 sm:px-8">
      <p className="text-body">
        <span className="font-medium">{formatDocumentKwh(local)}</span> d’énergie locale
        {total !== null && total > 0 && ` sur ${formatDocumentKwh(total)}, soit ${formatPercent(local / total, 1)}`}
        <span className="text-ink-soft"> · {sources}</span>
      </p>
      {total !== null && total > 0 && (
        <ShareFigures
          parts={[toLocalPart(local), toGridPart(Math.max(0, total - local), 'Complément du fournisseur')]}
          format={formatDocumentKwh}
          shares={false}
        />
      )}
    </section>
  )
}

const formatVat = ({ category, rate, base }: Snapshot['vat'][number]) =>
  category === 'S'
    ? `TVA ${formatNumber(rate / 100)}\u00a0% sur ${formatMoney(base)}`
    : `Sans TVA, sur ${formatMoney(base)}`

const TotalRow = ({ label, cents, strong }: { label: string; cents: number; strong?: boolean }) => (
  <div
    className={cx('flex justify-between gap-6 py-1', strong && 'mt-1 border-t border-line-strong pt-2 font-semibold')}
  >
    <dt className={strong ? '' : 'text-ink-soft'}>{label}</dt>
    <dd className={cx('tabular whitespace-nowrap', strong && 'text-lg')}>{formatMoney(cents)}</dd>
  </div>
)
const GROSS_LABELS: Record<Snapshot['kind'], string> = {
  invoice: 'À payer TTC',
  complement: 'À payer TTC',
  creditNote: 'En votre faveur TTC',
  statement: 'À payer',
}

const DocumentTotals = ({ snapshot: { totals, allowances, vat, kind } }: { snapshot: Snapshot }) => (
  <dl className="ml-auto grid w-full max-w-sm p-5 text-body sm:px-8">
    {allowances.map(({ id, label, amount }) => (
      <TotalRow key={id} label={label} cents={-amount} />
    ))}
    <TotalRow label="Total HT" cents={totals.net} />
    {vat.map((group) => (
      <TotalRow key={`${group.category} ${group.rate}`} label={formatVat(group)} cents={group.tax} />
    ))}
    <TotalRow label={GROSS_LABELS[kind]} cents={totals.gross} strong />
  </dl>
)

/** The document as it was issued: nothing here is looked up anew. */
export const InvoiceDocument = ({
  id,
  snapshot,
  why,
}: {
  id: string
  snapshot: Snapshot
  why: (month: string) => string
}) => (
  <article
    aria-label={`${INVOICE_KIND_LABELS[snapshot.kind]} ${snapshot.number}`}
    className={cx(cardClass, 'min-w-0 overflow-hidden')}
  >
    <DocumentHeader snapshot={snapshot} />
    <DocumentEnergy points={snapshot.points} />
    <div className="sm:px-4 sm:pt-4">
      <InvoiceLines id={id} snapshot={snapshot} why={why} />
    </div>
    <DocumentTotals snapshot={snapshot} />
    {snapshot.mentions.length > 0 && (
      <footer className="grid gap-1 border-t border-line bg-page p-5 text-[0.8125rem] text-ink-soft sm:px-8">
        {snapshot.mentions.map(({ name, text }) => (
          <p key={`${name} ${text}`}>{text}</p>
        ))}
      </footer>
    )}
  </article>
)
