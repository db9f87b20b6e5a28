import type { TariffRule } from '@voisol/contract/tariff-terms'
import type { TariffChoices } from '@voisol/contract/tariffs'
import { TIME_CLASS_LABELS } from '../../../lib/energy-labels.ts'
import { formatNumberInput } from '../../../lib/field-schemas.ts'
import { parseNumber } from '../../../lib/format.ts'
import { formatPriceInput, parsePrice } from '../../../lib/price.ts'
import { randomId } from '../../../lib/random-id.ts'

/** A rule as it is typed; what it does not name is empty. */
export type RuleForm = {
  key: string
  label: string
  price: string
  buyer: string
  group: string
  producer: string
  class: string
  indexId: string
  base: string
  /** The part that does not move, in percent. */
  fixed: string
  floor: string
  cap: string
}
type RuleTarget = Partial<Pick<RuleForm, 'buyer' | 'group' | 'producer' | 'class'>>

export const createBlankRule = (price: string, whom: RuleTarget = {}): RuleForm => ({
  key: randomId(),
  label: '',
  price,
  buyer: '',
  group: '',
  producer: '',
  class: '',
  indexId: '',
  base: '',
  fixed: '',
  floor: '',
  cap: '',
  ...whom,
})

export const toRuleForms = (rules: readonly TariffRule[]): RuleForm[] =>
  rules.map(({ id, label, price, index, ...whom }) => ({
    ...createBlankRule(formatPriceInput(price), whom),
    key: id,
    label,
    indexId: index?.indexId ?? '',
    base: index?.base.replace('.', ',') ?? '',
    fixed: index?.fixedBp ? formatNumberInput(index.fixedBp, 100) : '',
    floor: formatPriceInput(index?.floor ?? null),
    cap: formatPriceInput(index?.cap ?? null),
  }))

const FIGURE_PATTERN = /^\d{1,9}([.,]\d{1,9})?$/

/** An optional price: undefined where there is none, null where it is not one. */
const parseOptionalPrice = (text: string) => (text.trim() === '' ? undefined : parsePrice(text))

function toRuleIndex({ indexId, base, fixed, floor, cap }: RuleForm): TariffRule['index'] | null {
  if (!indexId) return undefined
  const fixedPercent = fixed.trim() === '' ? 0 : parseNumber(fixed)
  const [floorPrice, capPrice] = [parseOptionalPrice(floor), parseOptionalPrice(cap)]
  if (
    !FIGURE_PATTERN.test(base.trim()) ||
    fixedPercent === null ||
    fixedPercent < 0 ||
    fixedPercent > 100 ||
    floorPrice === null ||
    capPrice === null
  )
    return null
  return {
    indexId,
    base: base.trim().replace(',', '.'),
    fixedBp: Math.round(fixedPercent * 100),
    ...(floorPrice === undefined ? {} : { floor: floorPrice }),
    ...(capPrice === undefined ? {} : { cap: capPrice }),
  }
}

/** The rule that is sent; null while it cannot be read. */
export function toTariffRule(form: RuleForm, at: number): TariffRule | null {
  const price = parsePrice(form.price)
  const index = toRuleIndex(form)
  if (price === null || index === null) return null
  const filledFields = (['buyer', 'group', 'producer', 'class'] as const).filter((name) => form[name] !== '')
  return {
    id: `r${at + 1}`,
    label: form.label.trim(),
    price,
    ...Object.fromEntries(filledFields.map((name) => [name, form[name]])),
    ...(index && { index }),
  }
}

export function toTariffRules(forms: readonly RuleForm[]): TariffRule[] | null {
  const rules = forms.map(toTariffRule)
  return rules.every((rule) => rule !== null) ? rules : null
}

export type PricingScheme = 'flat' | 'class' | 'producer' | 'group' | 'social'

/** What a way needs and the operation does not have. */
export function describeMissing(way: PricingScheme, { groups, producers }: TariffChoices): string {
  if ((way === 'group' || way === 'social') && groups.length === 0) return 'Aucun groupe d’acheteurs n’existe encore.'
  return way === 'producer' && producers.length === 0 ? 'L’opération n’a pas encore de producteur.' : ''
}

const SOCIAL_PATTERN = /social|solidai/i

/** The rules of a simple way, at the price that was typed last for everybody. */
export function buildSchemeRules(way: PricingScheme, forms: readonly RuleForm[], choices: TariffChoices): RuleForm[] {
  const general = forms.find(({ buyer, group }) => !buyer && !group) ?? forms[0]
  const price = general?.price ?? ''
  const { groups, producers, classes } = choices
  const social = groups.find(({ name }) => SOCIAL_PATTERN.test(name)) ?? groups[0]
  switch (way) {
    case 'flat':
      return [createBlankRule(price)]
    case 'class':
      return classes.map((name) => createBlankRule(price, { class: name }))
    case 'producer':
      return producers.map(({ id }) => createBlankRule(price, { producer: id }))
    case 'group':
      return [createBlankRule(price), ...groups.map(({ id }) => createBlankRule(price, { group: id }))]
    case 'social':
      return [createBlankRule(price), ...(social ? [createBlankRule('0', { group: social.id })] : [])]
  }
}

const getNameById = (list: readonly { id: string; name: string }[], id: string) =>
  list.find((each) => each.id === id)?.name ?? 'inconnu'

/** For whom, from whom and when a rule holds, in words. */
export function describeTariffRule(form: RuleTarget, { buyers, groups, producers }: TariffChoices): string {
  const parts = [
    form.buyer && getNameById(buyers, form.buyer),
    form.group && `Groupe ${getNameById(groups, form.group)}`,
    form.producer && getNameById(producers, form.producer),
    // The select offers only these.
    form.class && TIME_CLASS_LABELS[form.class as keyof typeof TIME_CLASS_LABELS],
  ].filter(Boolean)
  return parts.join(' · ') || 'Tous les acheteurs, à toute heure'
}
