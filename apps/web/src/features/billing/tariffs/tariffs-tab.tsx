import { useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-terms'
import { type Tariff, type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { TariffEditor, type TariffVersionInput } from './editor.tsx'
import { createBlankRule, toRuleForms } from './rule-form.ts'
import { TariffVersionView } from './version.tsx'
import {
  formatTariffPeriod,
  formatTariffPrice,
  getNextMonthStart,
  getTariffState,
  NEW_TARIFF_VERSION,
  TARIFF_DEPENDENT_QUERIES,
  type TariffState,
  TariffStateBadge,
  useVersionLink,
} from './version-state.tsx'

function TariffVersions({ operationId }: { operationId: string }) {
  const [search] = useSearchParams()
  const link = useVersionLink()
  const canWrite = useCan()(tariffs.create)
  const params = { id: operationId }
  const { data, error, refetch } = useQuery(query(tariffs.list, { params }))
  const choices = useQuery(query(tariffs.choices, { params }))
  const loadError = error ?? choices.error
  if (loadError) return <ErrorState error={loadError} onRetry={error ? refetch : choices.refetch} />
  if (!data || !choices.data) return <Skeleton className="h-96 w-full" />
  const { items, proposal } = data
  const requestedVersion = search.get('version')
  const isNew = canWrite && requestedVersion === NEW_TARIFF_VERSION
  const chosen = items.find(({ id }) => id === requestedVersion) ?? items.find(({ inForce }) => inForce) ?? items[0]
  const add = canWrite && (
    <ButtonLink
      className="justify-self-start xl:justify-self-stretch"
      to={link({ operation: operationId, version: NEW_TARIFF_VERSION })}
      icon={<Plus aria-hidden="true" />}
    >
      Préparer un tarif
    </ButtonLink>
  )
  if (!chosen && !isNew)
    return (
      <EmptyState
        title="Aucun tarif"
        why={`Sans tarif adopté, aucun mois ne se clôture.${canWrite && proposal ? ' Un premier tarif est proposé d’après le prix de l’opération.' : ''}`}
        action={add}
      />
    )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[20rem_minmax(0,1fr)] [&>*]:min-w-0">
      <div className="grid gap-4">
        <p className="text-body text-ink-soft">
          Chaque version vaut à partir d’un jour, même au milieu d’un mois&nbsp;; les jours passés gardent la leur.
        </p>
        {add}
        <TariffTimeline versions={items} chosen={isNew ? undefined : chosen?.id} />
      </div>
      {isNew ? (
        <NewTariffVersion
          operationId={operationId}
          choices={choices.data}
          model={search.get('modele')}
          proposal={proposal}
        />
      ) : (
        chosen && <TariffVersionView key={chosen.id} id={chosen.id} choices={choices.data} />
      )}
    </div>
  )
}

/** The prices of an operation, version after version. */
export default function TariffsTab() {
  return (
    <OperationSelector why="Un tarif est celui d’une opération.">
      {({ id }) => <TariffVersions operationId={id} />}
    </OperationSelector>
  )
}

type TariffProposal = { label: string; startsOn: string; rules: TariffRule[] } | null
type NewTariffVersionProps = {
  operationId: string
  choices: TariffChoices
  model: string | null
  proposal: TariffProposal
}

/** From another version, from the price that was said of the operation, or from nothing. */
function toInitialValues(source: Tariff | undefined, proposal: TariffProposal) {
  if (source) return { label: '', startsOn: getNextMonthStart(), rules: toRuleForms(source.rules) }
  if (proposal) return { ...proposal, rules: toRuleForms(proposal.rules) }
  return { label: '', startsOn: getNextMonthStart(), rules: [createBlankRule('')] }
}

const describeSource = (source: Tariff | undefined, proposal: TariffProposal) => {
  if (source) return `Copie de la version ${source.number}. Rien ne change tant qu’elle n’est pas adoptée.`
  if (proposal) return 'Au prix donné à la création de l’opération. Rien ne change tant qu’il n’est pas adopté.'
  return 'Un brouillon\u00a0: rien ne change tant qu’il n’est pas adopté.'
}

function NewTariffVersion({ operationId, choices, model, proposal }: NewTariffVersionProps) {
  const navigate = useNavigate()
  const link = useVersionLink()
  const { run } = useAction(tariffs.create, TARIFF_DEPENDENT_QUERIES)
  const source = useQuery({ ...query(tariffs.get, { params: { id: model ?? '' } }), enabled: model !== null })
  if (source.error) return <ErrorState error={source.error} onRetry={source.refetch} />
  if (model !== null && !source.data) return <Skeleton className="h-96 w-full" />
  const create = async (written: TariffVersionInput) => {
    const created = await run({ params: { id: operationId }, body: written })
    void navigate(link({ version: created.id }))
  }
  return (
    <Card title="Nouveau tarif" description={describeSource(source.data, proposal)}>
      <TariffEditor
        key={model ?? 'blank'}
        operationId={operationId}
        choices={choices}
        start={toInitialValues(source.data, proposal)}
        action="Enregistrer le brouillon"
        onSave={create}
        more={() => (
          <span className="text-[0.8125rem] text-ink-soft">Vous pourrez encore le modifier avant de l’adopter.</span>
        )}
      />
    </Card>
  )
}

const DOT_CLASSES: Record<TariffState, string> = {
  draft: 'border-control bg-card',
  current: 'border-success bg-success',
  upcoming: 'border-primary-ink bg-primary-soft',
  replaced: 'border-line-strong bg-slate-200',
}

/** The one price of a flat tariff, or how many rules it takes. */
const summarizeRules = ({ rules }: Tariff) => {
  const [only] = rules
  return rules.length === 1 && only
    ? `${formatTariffPrice(only.price)}${only.index ? ', indexé' : ''}`
    : formatCount(rules.length, 'règle')
}

/** The versions, the one that begins last first; the filled dot holds today. */
function TariffTimeline({ versions, chosen }: { versions: Tariff[]; chosen: string | undefined }) {
  const link = useVersionLink()
  return (
    <nav aria-label="Versions du tarif">
      <ol className="relative grid gap-2 before:absolute before:top-4 before:bottom-4 before:left-[0.4375rem] before:w-px before:bg-line-strong">
        {versions.map((version) => (
          <li key={version.id} className="relative pl-7">
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-4 left-0 size-[0.9375rem] rounded-full border-2',
                DOT_CLASSES[getTariffState(version)],
              )}
            />
            <Link
              to={link({ version: version.id })}
              aria-current={version.id === chosen ? 'true' : undefined}
              preventScrollReset
              className={cx(
                'grid gap-1 rounded-card border px-4 py-3 text-body transition-colors duration-150',
                version.id === chosen
                  ? 'border-primary-ink bg-primary-soft'
                  : 'border-line bg-card hover:border-control',
              )}
            >
              <span className="flex flex-wrap items-center justify-between gap-2">
                <span className="font-medium">{version.label || `Version ${version.number}`}</span>
                <TariffStateBadge tariff={version} />
              </span>
              <span className="tabular">{summarizeRules(version)}</span>
              <span className="tabular text-[0.8125rem] text-ink-soft">{formatTariffPeriod(version)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
