import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-terms'
import { type TariffChoices, type TariffProblem, tariffs } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Input } from '../../../components/input.tsx'
import { CheckFindingList } from '../../../components/issue-list.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { query } from '../../../lib/queries.ts'
import { PriceMatrixTable } from './price-matrix.tsx'
import {
  buildSchemeRules,
  createBlankRule,
  describeMissing,
  type PricingScheme,
  type RuleForm,
  toTariffRules,
} from './rule-form.ts'
import { FullRuleRow, SimpleRuleRow } from './rule-row.tsx'

export type TariffVersionInput = { label: string; startsOn: string; rules: TariffRule[] }
type TariffFormValues = { label: string; startsOn: string; rules: RuleForm[] }
type TariffEditorProps = {
  operationId: string
  tariffId?: string
  choices: TariffChoices
  start: TariffFormValues
  action: string
  onSave: (written: TariffVersionInput) => Promise<unknown>
  more: (changed: boolean, problems: TariffProblem[]) => ReactNode
}

/** Rules that a simple way does not make are only read whole. */
const areSimpleRules = (rules: readonly RuleForm[]) =>
  rules.every(({ buyer, group, producer, class: name, indexId }) => {
    const conditionCount = [buyer, group, producer, name].filter(Boolean).length
    return !buyer && !indexId && conditionCount <= 1
  })

function useTariffDraft(start: TariffFormValues) {
  const [draft, setDraft] = useState(start)
  const change = (more: Partial<TariffFormValues>) => setDraft((old) => ({ ...old, ...more }))
  const setRule = (at: number, more: Partial<RuleForm>) =>
    setDraft((old) => ({ ...old, rules: old.rules.map((rule, place) => (place === at ? { ...rule, ...more } : rule)) }))
  return { draft, change, setRule, changed: JSON.stringify(draft) !== JSON.stringify(start) }
}

const getErrorMessages = (error: unknown) =>
  error instanceof ApiError
    ? [error.detail, ...(error.problem?.issues ?? []).map(({ message }) => message)]
    : [explainError(error)]

function useSaveState(save: () => Promise<unknown>) {
  const [state, setState] = useState<{ saving: boolean; errors: string[] }>({ saving: false, errors: [] })
  const run = async () => {
    setState({ saving: true, errors: [] })
    try {
      await save()
      setState({ saving: false, errors: [] })
    } catch (error) {
      setState({ saving: false, errors: [...new Set(getErrorMessages(error))] })
    }
  }
  return { ...state, run }
}

type RuleListFieldsProps = Pick<TariffEditorProps, 'choices'> & {
  rules: RuleForm[]
  problems: TariffProblem[]
  setRule: (at: number, more: Partial<RuleForm>) => void
  onRules: (rules: RuleForm[]) => void
}

/** The prices of a simple way, or every rule with all that it may say. */
function RuleListFields({ rules, choices, problems, setRule, onRules }: RuleListFieldsProps) {
  const [showsAllRules, setShowsAllRules] = useState(!areSimpleRules(rules))
  const Row = showsAllRules ? FullRuleRow : SimpleRuleRow
  return (
    <section aria-label="Prix" className="grid gap-4">
      <ol className={showsAllRules ? 'grid gap-3' : 'grid divide-y divide-line'}>
        {rules.map((rule, at) => (
          <Row
            key={rule.key}
            rule={rule}
            at={at}
            choices={choices}
            problems={problems.filter((problem) => problem.rule === at)}
            onChange={(more) => setRule(at, more)}
            onRemove={rules.length > 1 ? () => onRules(rules.filter((_, place) => place !== at)) : undefined}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Switch
          label="Toutes les règles"
          hint="Acheteur, groupe, producteur, plage et indexation ensemble. La plus précise l’emporte."
          checked={showsAllRules}
          onChange={({ target }) => setShowsAllRules(target.checked)}
        />
        {showsAllRules && (
          <Button
            variant="secondary"
            size="small"
            icon={<Plus aria-hidden="true" />}
            onClick={() => onRules([...rules, createBlankRule('')])}
          >
            Ajouter une règle
          </Button>
        )}
      </div>
    </section>
  )
}

/** A version as it is written: the prices, and beside them who would pay what. */
export function TariffEditor({ operationId, tariffId, choices, start, action, onSave, more }: TariffEditorProps) {
  const id = useId()
  const { draft, change, setRule, changed } = useTariffDraft(start)
  const [day, setDay] = useState('')
  const rules = toTariffRules(draft.rules)
  const preview = usePricePreview({
    operationId,
    tariffId,
    startsOn: draft.startsOn,
    day: day || draft.startsOn,
    rules,
  })
  const problems = preview.ready ? (preview.data?.problems ?? []) : []
  const saving = useSaveState(
    async () => rules && onSave({ label: draft.label.trim(), startsOn: draft.startsOn, rules }),
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run()
      }}
      className="grid items-start gap-x-8 gap-y-6 2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] [&>*]:min-w-0"
    >
      <div className="grid gap-6 [&>*]:min-w-0">
        <div className="grid gap-4 sm:grid-cols-2">
          <FieldFrame id={`${id}-day`} label="Applicable à partir du">
            <DateInput
              id={`${id}-day`}
              name="startsOn"
              value={draft.startsOn}
              onValue={(startsOn) => change({ startsOn })}
            />
          </FieldFrame>
          <FieldFrame id={`${id}-label`} label="Nom" optional>
            <Input
              id={`${id}-label`}
              name="label"
              maxLength={200}
              value={draft.label}
              onChange={({ target }) => change({ label: target.value })}
            />
          </FieldFrame>
        </div>
        <PricingSchemePicker
          choices={choices}
          onChoose={(way) => change({ rules: buildSchemeRules(way, draft.rules, choices) })}
        />
        <RuleListFields
          rules={draft.rules}
          choices={choices}
          problems={problems}
          setRule={setRule}
          onRules={(next) => change({ rules: next })}
        />
      </div>
      <PricePreview trial={preview} day={day || draft.startsOn} onDay={setDay} readable={rules !== null} />
      <footer className="grid gap-3 2xl:col-span-2">
        {saving.errors.length > 0 && (
          <ul role="alert" className="grid gap-1 rounded-card bg-danger-soft p-3 text-body text-danger">
            {saving.errors.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            loading={saving.saving}
            disabled={rules === null || (tariffId !== undefined && !changed)}
          >
            {action}
          </Button>
          {more(changed, problems)}
        </div>
      </footer>
    </form>
  )
}

const PRICING_SCHEMES: { id: PricingScheme; label: string; hint: string }[] = [
  { id: 'flat', label: 'Un prix pour tous', hint: 'Le même à toute heure.' },
  { id: 'class', label: 'Par plage horaire', hint: 'Heures pleines et creuses, été et hiver.' },
  { id: 'producer', label: 'Par producteur', hint: 'Chacun vend à son prix.' },
  { id: 'group', label: 'Par groupe', hint: 'Un prix pour tous, un autre par groupe.' },
  { id: 'social', label: 'Social à 0 €', hint: 'Gratuit pour un groupe.' },
]

/** How a tariff usually is: each makes the rules it needs, at the price that was typed for everybody. */
const PricingSchemePicker = ({
  choices,
  onChoose,
}: {
  choices: TariffChoices
  onChoose: (way: PricingScheme) => void
}) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-body font-medium">Partir de</legend>
    <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {PRICING_SCHEMES.map(({ id, label, hint }) => {
        const missingText = describeMissing(id, choices)
        return (
          <button
            key={id}
            type="button"
            disabled={missingText !== ''}
            onClick={() => onChoose(id)}
            className="rounded-control border border-line bg-card px-3 py-2 text-left text-body transition-colors duration-150 hover:border-control hover:bg-page disabled:cursor-not-allowed disabled:bg-page disabled:text-ink-muted"
          >
            <span className="block font-medium">{label}</span>
            <span className="block text-[0.8125rem] text-ink-soft">{missingText || hint}</span>
          </button>
        )
      })}
    </div>
  </fieldset>
)

type PricePreviewProps = {
  trial: ReturnType<typeof usePricePreview>
  day: string
  onDay: (day: string) => void
  readable: boolean
}

/** Who would pay what on a day, while the prices are typed. */
function PricePreview({ trial: { data, error, refetch }, day, onDay, readable }: PricePreviewProps) {
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-4 rounded-card bg-page p-4 sm:p-5 [&>*]:min-w-0">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 id={`${id}-title`} className="text-base font-semibold tracking-[-0.01em]">
          Qui paie quoi, quand
        </h3>
        <div className="w-44">
          <FieldFrame id={`${id}-day`} label="Le">
            <DateInput id={`${id}-day`} value={day} onValue={onDay} />
          </FieldFrame>
        </div>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!readable && <p className="text-body text-ink-soft">Donnez chaque prix pour voir la grille.</p>}
      {readable && !data && !error && <Skeleton className="h-40 w-full" />}
      {readable && data && (
        <>
          <PriceMatrixTable matrix={data.matrix} />
          <CheckFindingList
            findings={data.problems.filter(({ rule }) => rule === null).map((problem) => ({ ...problem, rule: '' }))}
            fine={
              data.problems.length
                ? 'Voyez les remarques à côté des prix.'
                : 'Rien ne s’oppose à l’adoption de ce tarif.'
            }
          />
        </>
      )}
    </section>
  )
}

const PAUSE_MS = 350
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** The value once nothing was typed for a moment. */
function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

type PricePreviewInput = {
  operationId: string
  tariffId: string | undefined
  startsOn: string
  day: string
  rules: TariffRule[] | null
}

/** What the version would make pay as it is typed, and what stands in its way; the last answer while a figure is unreadable. */
function usePricePreview({ operationId, tariffId, startsOn, day, rules }: PricePreviewInput) {
  const body = JSON.stringify({ startsOn, day, rules, ...(tariffId && { tariffId }) })
  const debouncedBody = useDebounced(body)
  const ready = rules !== null && isDay(startsOn) && isDay(day)
  const preview = useQuery({
    ...query(tariffs.tryOut, { params: { id: operationId }, body: JSON.parse(debouncedBody) }),
    enabled: ready && debouncedBody === body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { ...preview, ready }
}
