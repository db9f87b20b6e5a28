import { SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'
import type { InvoiceDetail } from '@voisol/contract/invoice-views'
import { Card } from '../../../components/card.tsx'
import { Link } from '../../../components/link.tsx'
import { formatInvoicePeriod } from '../../../lib/billing-labels.ts'
import { formatCount, formatDate, formatDateTime } from '../../../lib/format.ts'
import { formatSignedAmount } from './labels.ts'

const RUN_LABELS: Record<string, string> = {
  definitive: 'Répartition définitive',
  provisional: 'Répartition provisoire',
}

function buildSourceLines({ operation, sources }: InvoiceDetail['snapshot']) {
  const distribution = `/acc-operations/${operation.id}/energy-distribution`
  return [
    ...sources.runs.map((run) => ({
      key: run.id,
      text: `${RUN_LABELS[run.kind] ?? run.kind}, ${formatInvoicePeriod(run)}`,
      note: `empreinte ${run.resultHash.slice(0, 12)}`,
      to: distribution,
    })),
    ...sources.keys.map((key) => ({
      key: key.id,
      text: `Clé de répartition n°\u00a0${key.number}`,
      note: `depuis le ${formatDate(key.from)}`,
      to: distribution,
    })),
    ...sources.tariffs.map((one) => ({
      key: one.id,
      text: `Tarif n°\u00a0${one.number}`,
      note: `depuis le ${formatDate(one.from)}`,
      to: '/advanced-billing',
    })),
  ]
}

/** The rules of the day are many and seldom asked for: they open on demand. */
const SettingsList = ({ settings }: Pick<InvoiceDetail['snapshot']['sources'], 'settings'>) => (
  <details>
    <summary className="inline-flex min-h-6 cursor-pointer text-link">
      {formatCount(settings.length, 'réglage en vigueur', 'réglages en vigueur')}
    </summary>
    <ul className="grid gap-2 pt-3">
      {settings.map(({ name, source }) => (
        <li key={name} className="min-w-0">
          {getSettingLabel(name)}
          {source && <span className="block text-[0.8125rem] break-words text-ink-soft">{source}</span>}
        </li>
      ))}
    </ul>
  </details>
)

/** What the figures came from, and the seal that nobody can change them under. */
export function InvoiceSources({ detail: { snapshot, hash } }: { detail: InvoiceDetail }) {
  return (
    <Card title="Sources et scellé">
      <ul className="grid gap-2 text-body">
        {buildSourceLines(snapshot).map(({ key, text, note, to }) => (
          <li key={key} className="min-w-0">
            <Link to={to} className="text-link">
              {text}
            </Link>
            {note && <span className="block text-[0.8125rem] break-words text-ink-soft">{note}</span>}
          </li>
        ))}
        {snapshot.sources.settings.length > 0 && (
          <li className="min-w-0">
            <SettingsList settings={snapshot.sources.settings} />
          </li>
        )}
        <li>
          Scellé dans sa série
          <code className="block text-[0.75rem] break-all text-ink-soft">{hash}</code>
        </li>
      </ul>
    </Card>
  )
}

export const InvoiceHistory = ({ history }: Pick<InvoiceDetail, 'history'>) => (
  <Card title="Historique">
    <ol className="grid gap-3 border-l border-line pl-4">
      {history.map(({ at, text, by }) => (
        <li key={`${at} ${text}`} className="min-w-0">
          <p className="break-words">{text}</p>
          <p className="text-[0.8125rem] text-ink-soft">
            {formatDateTime(at)}
            {by && ` · ${by}`}
          </p>
        </li>
      ))}
    </ol>
  </Card>
)

/** The documents before and after it. */
export function RelatedDocuments({ detail: { snapshot, corrections } }: { detail: InvoiceDetail }) {
  const { corrects } = snapshot
  if (!corrects && corrections.length === 0) return null
  return (
    <Card title="Documents liés">
      <ul className="grid gap-2">
        {corrects && (
          <li>
            Corrige{' '}
            <Link to={`/invoice/${corrects.id}`} className="tabular text-link">
              {corrects.number}
            </Link>
            <span className="block text-[0.8125rem] text-ink-soft">{corrects.reason}</span>
          </li>
        )}
        {corrections.map(({ id, number, kind, gross, issuedOn }) => (
          <li key={id}>
            Correction{' '}
            <Link to={`/invoice/${id}`} className="tabular text-link">
              {number}
            </Link>
            <span className="block text-[0.8125rem] text-ink-soft">
              {formatSignedAmount(kind, gross)}, le {formatDate(issuedOn)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const SETTING_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(SETTING_DEFINITIONS).map(([name, { label }]) => [name, label]),
)

/** A rule by what it is called, without its unit; one that is no longer known keeps the name it was sealed under. */
export const getSettingLabel = (name: string) => SETTING_LABELS.get(name)?.replace(/\s*\([^)]*\)$/, '') ?? name
