import { useQuery } from '@tanstack/react-query'
import { type TariffChoices, type TariffProblem, tariffs } from '@voisol/contract/tariffs'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Trash2 from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useId } from 'react'
import { IconButton } from '../../../components/icon-button.tsx'
import { FieldFrame, Input, Select } from '../../../components/input.tsx'
import { TIME_CLASS_LABELS } from '../../../lib/energy-labels.ts'
import { PRICE_ERROR, parsePrice } from '../../../lib/price.ts'
import { query } from '../../../lib/queries.ts'
import { describeTariffRule, type RuleForm } from './rule-form.ts'

type RuleRowProps = {
  rule: RuleForm
  at: number
  choices: TariffChoices
  problems: TariffProblem[]
  onChange: (change: Partial<RuleForm>) => void
  onRemove?: (() => void) | undefined
}

/** What is wrong with a rule, or deserves a second look, beside it. */
function Remarks({ problems }: { problems: TariffProblem[] }) {
  return (
    <ul role="status" className="grid gap-1 text-[0.8125rem] empty:hidden">
      {problems.map(({ severity, message }) => {
        const Icon = severity === 'refused' ? CircleAlert : TriangleAlert
        return (
          <li
            key={message}
            className={`flex items-start gap-1.5 ${severity === 'refused' ? 'text-danger' : 'text-warning'}`}
          >
            <Icon aria-hidden="true" className="mt-px size-4 shrink-0" />
            {message.replace(/^Règle \d+(, le [\d/]+)?\u00a0: /, '')}
          </li>
        )
      })}
    </ul>
  )
}

function PriceInput({ rule, at, onChange, label }: Pick<RuleRowProps, 'rule' | 'at' | 'onChange'> & { label: string }) {
  const id = useId()
  const isInvalid = rule.price.trim() !== '' && parsePrice(rule.price) === null
  return (
    <FieldFrame id={id} label={<span className="sr-only">{label}</span>} {...(isInvalid && { error: PRICE_ERROR })}>
      <span className="flex items-center gap-2">
        <span className="w-24 shrink-0">
          <Input
            id={id}
            name={`rules.${at}.price`}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={isInvalid || undefined}
            value={rule.price}
            onChange={({ target }) => onChange({ price: target.value })}
            className="tabular text-right"
          />
        </span>
        <span className="text-body whitespace-nowrap text-ink-soft">c€/kWh</span>
      </span>
    </FieldFrame>
  )
}

/** For whom, and its price. */
export function SimpleRuleRow(props: RuleRowProps) {
  const { rule, choices, problems } = props
  const ruleText = describeTariffRule(rule, choices)
  return (
    <li className="grid gap-1.5 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-48 text-body font-medium">
          {ruleText}
          {rule.indexId && (
            <span className="block text-[0.8125rem] font-normal text-ink-soft">Prix de départ, indexé</span>
          )}
        </span>
        <PriceInput {...props} label={`Prix\u00a0: ${ruleText}`} />
      </div>
      <Remarks problems={problems} />
    </li>
  )
}

const FIELD_LABELS = { buyer: 'Acheteur', group: 'Groupe', producer: 'Producteur', class: 'Plage horaire' } as const
const ANY_LABELS = { buyer: 'Tous', group: 'Tous', producer: 'Tous', class: 'Toute heure' }

function RuleTargetSelect({
  name,
  rule,
  choices,
  onChange,
}: Pick<RuleRowProps, 'rule' | 'choices' | 'onChange'> & { name: keyof typeof FIELD_LABELS }) {
  const id = useId()
  const lists = { buyer: choices.buyers, group: choices.groups, producer: choices.producers }
  const options =
    name === 'class'
      ? choices.classes.map((value) => ({ value, label: TIME_CLASS_LABELS[value] }))
      : lists[name].map((each) => ({ value: each.id, label: each.name }))
  return (
    <FieldFrame id={id} label={FIELD_LABELS[name]}>
      <Select
        id={id}
        value={rule[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
        options={[{ value: '', label: ANY_LABELS[name] }, ...options]}
      />
    </FieldFrame>
  )
}

/** All that a rule may say. */
export function FullRuleRow(props: RuleRowProps) {
  const { rule, at, onChange, onRemove, problems } = props
  return (
    <li className="grid gap-3 rounded-control border border-line p-4">
      <div className="flex items-center justify-between gap-3">
        <h4 className="text-body font-medium">Règle {at + 1}</h4>
        <div className="flex items-center gap-1">
          <PriceInput {...props} label={`Prix de la règle ${at + 1}`} />
          {onRemove && (
            <IconButton label={`Retirer la règle ${at + 1}`} icon={<Trash2 aria-hidden="true" />} onClick={onRemove} />
          )}
        </div>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {(['buyer', 'group', 'producer', 'class'] as const).map((name) => (
          <RuleTargetSelect key={name} name={name} {...props} />
        ))}
      </div>
      <IndexFields rule={rule} onChange={onChange} />
      <Remarks problems={problems} />
    </li>
  )
}

type Props = { rule: RuleForm; onChange: (change: Partial<RuleForm>) => void }
type IndexFigureName = 'base' | 'fixed' | 'floor' | 'cap'

function FigureField({
  name,
  label,
  hint,
  rule,
  onChange,
}: Props & { name: IndexFigureName; label: string; hint?: ReactNode }) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={rule[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
        className="tabular"
      />
    </FieldFrame>
  )
}

/** The index a price follows, where it follows one. */
function IndexFields(props: Props) {
  const { rule, onChange } = props
  const id = useId()
  const { data } = useQuery(query(tariffs.indexes, {}))
  const items = data?.items ?? []
  if (items.length === 0 && !rule.indexId) return null
  const chooseIndex = (indexId: string) => {
    const base = items.find((index) => index.id === indexId)?.words.find(({ holds, value }) => holds && value !== null)
    onChange({ indexId, base: rule.base || (base?.value ?? '').replace('.', ',') })
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <FieldFrame id={id} label="Indexation">
        <Select
          id={id}
          value={rule.indexId}
          onChange={({ target }) => chooseIndex(target.value)}
          options={[
            { value: '', label: 'Prix fixe' },
            ...items.map((index) => ({ value: index.id, label: `Suit ${index.name}` })),
          ]}
        />
      </FieldFrame>
      {rule.indexId && (
        <>
          <FigureField {...props} name="base" label="Indice de départ" />
          <FigureField {...props} name="fixed" label="Part fixe (%)" />
          <FigureField {...props} name="floor" label="Plancher (c€/kWh)" />
          <FigureField {...props} name="cap" label="Plafond (c€/kWh)" />
        </>
      )}
    </div>
  )
}
