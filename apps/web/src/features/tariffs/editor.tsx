import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffChoices, TariffProblem } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { Button } from '../../ui/button.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { buildSchemeRules, createBlankRule, type RuleForm, toTariffRules } from './form.ts'
import { PricePreview } from './live.tsx'
import { FullRuleRow, SimpleRuleRow } from './rule-row.tsx'
import { usePricePreview } from './use-trial.ts'
import { PricingSchemePicker } from './ways.tsx'

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
