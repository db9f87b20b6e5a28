import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffChoices, TariffProblem } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { Button } from '../../ui/button.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { blankRule, type RuleForm, rulesFor, rulesOf } from './form.ts'
import { Live } from './live.tsx'
import { FullRow, SimpleRow } from './rule-row.tsx'
import { useTrial } from './use-trial.ts'
import { Ways } from './ways.tsx'

export type Written = { label: string; startsOn: string; rules: TariffRule[] }
type Start = { label: string; startsOn: string; rules: RuleForm[] }
type EditorProps = {
  operationId: string
  tariffId?: string
  choices: TariffChoices
  start: Start
  action: string
  onSave: (written: Written) => Promise<unknown>
  more: (changed: boolean, problems: TariffProblem[]) => ReactNode
}

/** Rules that a simple way does not make are only read whole. */
const isSimple = (rules: readonly RuleForm[]) =>
  rules.every(({ buyer, group, producer, class: name, indexId }) => {
    const named = [buyer, group, producer, name].filter(Boolean).length
    return !buyer && !indexId && named <= 1
  })

function useDraft(start: Start) {
  const [draft, setDraft] = useState(start)
  const change = (more: Partial<Start>) => setDraft((old) => ({ ...old, ...more }))
  const setRule = (at: number, more: Partial<RuleForm>) =>
    setDraft((old) => ({ ...old, rules: old.rules.map((rule, place) => (place === at ? { ...rule, ...more } : rule)) }))
  return { draft, change, setRule, changed: JSON.stringify(draft) !== JSON.stringify(start) }
}

const messageOf = (error: unknown) =>
  error instanceof ApiError
    ? [error.detail, ...(error.problem?.issues ?? []).map(({ message }) => message)]
    : [explain(error)]

function useSaving(save: () => Promise<unknown>) {
  const [state, setState] = useState<{ saving: boolean; errors: string[] }>({ saving: false, errors: [] })
  const run = async () => {
    setState({ saving: true, errors: [] })
    try {
      await save()
      setState({ saving: false, errors: [] })
    } catch (error) {
      setState({ saving: false, errors: [...new Set(messageOf(error))] })
    }
  }
  return { ...state, run }
}

type RulesProps = Pick<EditorProps, 'choices'> & {
  rules: RuleForm[]
  problems: TariffProblem[]
  setRule: (at: number, more: Partial<RuleForm>) => void
  onRules: (rules: RuleForm[]) => void
}

/** The prices of a simple way, or every rule with all that it may say. */
function Rules({ rules, choices, problems, setRule, onRules }: RulesProps) {
  const [full, setFull] = useState(!isSimple(rules))
  const Row = full ? FullRow : SimpleRow
  return (
    <section aria-label="Prix" className="grid gap-4">
      <ol className={full ? 'grid gap-3' : 'grid divide-y divide-line'}>
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
          checked={full}
          onChange={({ target }) => setFull(target.checked)}
        />
        {full && (
          <Button
            variant="secondary"
            size="small"
            icon={<Plus aria-hidden="true" />}
            onClick={() => onRules([...rules, blankRule('')])}
          >
            Ajouter une règle
          </Button>
        )}
      </div>
    </section>
  )
}

/** A version as it is written: the prices, and beside them who would pay what. */
export function Editor({ operationId, tariffId, choices, start, action, onSave, more }: EditorProps) {
  const id = useId()
  const { draft, change, setRule, changed } = useDraft(start)
  const [day, setDay] = useState('')
  const rules = rulesOf(draft.rules)
  const trial = useTrial({ operationId, tariffId, startsOn: draft.startsOn, day: day || draft.startsOn, rules })
  const problems = trial.ready ? (trial.data?.problems ?? []) : []
  const saving = useSaving(async () => rules && onSave({ label: draft.label.trim(), startsOn: draft.startsOn, rules }))
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
        <Ways choices={choices} onChoose={(way) => change({ rules: rulesFor(way, draft.rules, choices) })} />
        <Rules
          rules={draft.rules}
          choices={choices}
          problems={problems}
          setRule={setRule}
          onRules={(next) => change({ rules: next })}
        />
      </div>
      <Live trial={trial} day={day || draft.startsOn} onDay={setDay} readable={rules !== null} />
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
