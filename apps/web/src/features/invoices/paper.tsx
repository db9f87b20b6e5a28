import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { KIND_WORDS, SOURCE_WORDS } from '@voisol/contract/money'
import { date, money, number, percent } from '../../lib/format.ts'
import { periodLabel } from '../../lib/invoice-words.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { gridPart, localPart } from '../../ui/stack/parts.ts'
import { ShareFigures } from '../../ui/stack/share-bar.tsx'
import { documentKwh } from './labels.ts'
import { Lines } from './lines.tsx'

type Snapshot = InvoiceSnapshot
type Party = Snapshot['seller'] | Snapshot['buyer']

function Identity({ title, party, more }: { title: string; party: Party; more?: string[] }) {
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

const sellerMore = ({ siren, vatNumber }: Snapshot['seller']) => [
  siren && `SIREN ${siren}`,
  vatNumber && `TVA ${vatNumber}`,
]
const buyerMore = ({ jointHolders, siret, serviceCode, engagement }: Snapshot['buyer']) => [
  jointHolders.length ? `avec ${jointHolders.join(', ')}` : '',
  siret && `SIRET ${siret}`,
  serviceCode && `Service ${serviceCode}`,
  engagement && `Engagement ${engagement}`,
]
const told = (words: (string | false)[]) => words.filter((word): word is string => Boolean(word))

const Head = ({ snapshot }: { snapshot: Snapshot }) => (
  <header className="grid gap-6 border-b border-line p-5 sm:p-8">
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div>
        <p className="text-[0.8125rem] font-medium tracking-wide text-ink-soft uppercase">
          {KIND_WORDS[snapshot.kind]}
        </p>
        <p className="tabular mt-1 text-xl font-semibold tracking-tight">{snapshot.number}</p>
        <p className="mt-1 text-body text-ink-soft">
          {periodLabel(snapshot)} · {snapshot.operation.name}
          {snapshot.operation.accNumber && ` · ${snapshot.operation.accNumber}`}
        </p>
      </div>
      <dl className="grid gap-0.5 text-[0.8125rem] sm:text-right">
        <div>
          <dt className="inline text-ink-soft">Émis le </dt>
          <dd className="tabular inline">{date(snapshot.issuedOn)}</dd>
        </div>
        {snapshot.typeCode === 380 && (
          <div>
            <dt className="inline text-ink-soft">
              {snapshot.debit ? 'Prélevé le\u00a0' : 'À régler au plus tard le\u00a0'}
            </dt>
            <dd className="tabular inline font-medium">{date(snapshot.debit?.collectionOn ?? snapshot.dueOn)}</dd>
          </div>
        )}
      </dl>
    </div>
    <div className="grid gap-6 sm:grid-cols-2">
      <Identity title="Vendeur" party={snapshot.seller} more={told(sellerMore(snapshot.seller))} />
      <Identity title="Acheteur" party={snapshot.buyer} more={told(buyerMore(snapshot.buyer))} />
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
function Energy({ points }: Pick<Snapshot, 'points'>) {
  if (points.length === 0) return null
  const local = points.reduce((sum, { localWh }) => sum + localWh, 0)
  const total = points.every(({ totalWh }) => totalWh !== null)
    ? points.reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0)
    : null
  const sources = [...new Set(points.map(({ source }) => SOURCE_WORDS[source]))].join(', ')
  return (
    <section aria-label="Énergie" className="grid gap-2 border-b border-line p-5 sm:px-8">
      <p className="text-body">
        <span className="font-medium">{documentKwh(local)}</span> d’énergie locale
        {total !== null && total > 0 && ` sur ${documentKwh(total)}, soit ${percent(local / total, 1)}`}
        <span className="text-ink-soft"> · {sources}</span>
      </p>
      {total !== null && total > 0 && (
        <ShareFigures
          parts={[localPart(local), gridPart(Math.max(0, total - local), 'Complément du fournisseur')]}
          format={documentKwh}
          shares={false}
        />
      )}
    </section>
  )
}

const vatWords = ({ category, rate, base }: Snapshot['vat'][number]) =>
  category === 'S' ? `TVA ${number(rate / 100)}\u00a0% sur ${money(base)}` : `Sans TVA, sur ${money(base)}`

const Sum = ({ label, cents, strong }: { label: string; cents: number; strong?: boolean }) => (
  <div
    className={cx('flex justify-between gap-6 py-1', strong && 'mt-1 border-t border-line-strong pt-2 font-semibold')}
  >
    <dt className={strong ? '' : 'text-ink-soft'}>{label}</dt>
    <dd className={cx('tabular whitespace-nowrap', strong && 'text-lg')}>{money(cents)}</dd>
  </div>
)
const GROSS: Record<Snapshot['kind'], string> = {
  invoice: 'À payer TTC',
  complement: 'À payer TTC',
  creditNote: 'En votre faveur TTC',
  statement: 'À payer',
}

const Totals = ({ snapshot: { totals, allowances, vat, kind } }: { snapshot: Snapshot }) => (
  <dl className="ml-auto grid w-full max-w-sm p-5 text-body sm:px-8">
    {allowances.map(({ id, label, amount }) => (
      <Sum key={id} label={label} cents={-amount} />
    ))}
    <Sum label="Total HT" cents={totals.net} />
    {vat.map((group) => (
      <Sum key={`${group.category} ${group.rate}`} label={vatWords(group)} cents={group.tax} />
    ))}
    <Sum label={GROSS[kind]} cents={totals.gross} strong />
  </dl>
)

/** The document as it was issued: nothing here is looked up anew. */
export const Paper = ({ id, snapshot, why }: { id: string; snapshot: Snapshot; why: (month: string) => string }) => (
  <article
    aria-label={`${KIND_WORDS[snapshot.kind]} ${snapshot.number}`}
    className={cx(cardClass, 'min-w-0 overflow-hidden')}
  >
    <Head snapshot={snapshot} />
    <Energy points={snapshot.points} />
    <div className="sm:px-4 sm:pt-4">
      <Lines id={id} snapshot={snapshot} why={why} />
    </div>
    <Totals snapshot={snapshot} />
    {snapshot.mentions.length > 0 && (
      <footer className="grid gap-1 border-t border-line bg-page p-5 text-[0.8125rem] text-ink-soft sm:px-8">
        {snapshot.mentions.map(({ name, text }) => (
          <p key={`${name} ${text}`}>{text}</p>
        ))}
      </footer>
    )}
  </article>
)
