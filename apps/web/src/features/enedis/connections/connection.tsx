import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { Can } from '../../../lib/can.tsx'
import { BACKEND_LABELS, ENVIRONMENT_LABELS } from '../../../lib/distributor-labels.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { CredentialActions } from './actions.tsx'
import { QuotaGauge } from './gauge.tsx'
import { describeCircuit, getScopeLabel } from './state.ts'
import { TestLine } from './test-line.tsx'

const CredentialHeading = ({ credential }: { credential: EnedisCredential }) => {
  const { label, tone } = ENVIRONMENT_LABELS[credential.environment]
  return (
    <header>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-base font-semibold tracking-[-0.01em]">{getScopeLabel(credential)}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
        {credential.operationId === null
          ? 'Pour chaque opération qui n’a pas ses propres identifiants'
          : 'Pour cette opération seulement'}
      </p>
    </header>
  )
}

const CredentialFacts = ({ credential }: { credential: EnedisCredential }) => {
  const { backend, hint, lastSyncAt, nextSyncAt } = credential
  const facts: [string, string][] = [
    ['Interface', BACKEND_LABELS[backend]],
    ['Identifiant', hint ? `…${hint}` : 'Enregistré'],
    ['Dernière synchronisation', lastSyncAt ? formatDateTime(lastSyncAt) : 'Aucune encore'],
    ['Prochaine', nextSyncAt ? formatDateTime(nextSyncAt) : 'Non prévue'],
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
          <dd className="tabular mt-0.5 text-body font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One way to the distributor: whether it works, what it may still use, and when it last brought something. */
export function CredentialCard({ credential }: { credential: EnedisCredential }) {
  const circuit = describeCircuit(credential)
  const { second, hour } = credential.quotas
  return (
    <article className={cx(cardClass, '@container flex min-w-0 flex-col gap-5 p-5 sm:p-6')}>
      <CredentialHeading credential={credential} />
      <div className="grid gap-x-12 gap-y-5 @4xl:grid-cols-2">
        <div className="grid content-start gap-5">
          <TestLine credential={credential} />
          <CredentialFacts credential={credential} />
        </div>
        <div className="grid content-start gap-4 border-t border-line pt-5 @4xl:border-t-0 @4xl:pt-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
            <Badge tone={circuit.tone}>{circuit.label}</Badge>
            <span className="text-ink-soft">{circuit.meaning}</span>
          </p>
          <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            <QuotaGauge label="Appels dans la seconde" {...second} pace />
            <QuotaGauge label="Appels dans l’heure" {...hour} />
          </div>
        </div>
      </div>
      <Can call={enedis.test}>
        <footer data-print="hide" className="mt-auto flex flex-wrap gap-2">
          <CredentialActions credential={credential} />
        </footer>
      </Can>
    </article>
  )
}
