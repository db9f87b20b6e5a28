import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffChoices } from '@voisol/contract/tariffs'
import { TIME_CLASSES } from '../../lib/energy-labels.ts'
import { parseNumber } from '../../lib/format.ts'
import { parsePrice, priceText } from '../../lib/price.ts'
import { randomId } from '../../lib/random-id.ts'
import { numberText } from '../../lib/typed-fields.ts'

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
type Whom = Partial<Pick<RuleForm, 'buyer' | 'group' | 'producer' | 'class'>>

export const blankRule = (price: string, whom: Whom = {}): RuleForm => ({
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

export const formOf = (rules: readonly TariffRule[]): RuleForm[] =>
  rules.map(({ id, label, price, index, ...whom }) => ({
    ...blankRule(priceText(price), whom),
    key: id,
    label,
    indexId: index?.indexId ?? '',
    base: index?.base.replace('.', ',') ?? '',
    fixed: index?.fixedBp ? numberText(index.fixedBp, 100) : '',
    floor: priceText(index?.floor ?? null),
    cap: priceText(index?.cap ?? null),
  }))

const FIGURE = /^\d{1,9}([.,]\d{1,9})?$/

/** An optional price: undefined where there is none, null where it is not one. */
const optionalPrice = (text: string) => (text.trim() === '' ? undefined : parsePrice(text))

function indexOf({ indexId, base, fixed, floor, cap }: RuleForm): TariffRule['index'] | null {
  if (!indexId) return undefined
  const part = fixed.trim() === '' ? 0 : parseNumber(fixed)
  const [least, most] = [optionalPrice(floor), optionalPrice(cap)]
  if (!FIGURE.test(base.trim()) || part === null || part < 0 || part > 100 || least === null || most === null)
    return null
  return {
    indexId,
    base: base.trim().replace(',', '.'),
    fixedBp: Math.round(part * 100),
    ...(least === undefined ? {} : { floor: least }),
    ...(most === undefined ? {} : { cap: most }),
  }
}

/** The rule that is sent; null while it cannot be read. */
export function ruleOf(form: RuleForm, at: number): TariffRule | null {
  const price = parsePrice(form.price)
  const index = indexOf(form)
  if (price === null || index === null) return null
  const named = (['buyer', 'group', 'producer', 'class'] as const).filter((name) => form[name] !== '')
  return {
    id: `r${at + 1}`,
    label: form.label.trim(),
    price,
    ...Object.fromEntries(named.map((name) => [name, form[name]])),
    ...(index && { index }),
  }
}

export function rulesOf(forms: readonly RuleForm[]): TariffRule[] | null {
  const rules = forms.map(ruleOf)
  return rules.every((rule) => rule !== null) ? rules : null
}

export type Way = 'flat' | 'class' | 'producer' | 'group' | 'social'
export const WAYS: { id: Way; label: string; hint: string }[] = [
  { id: 'flat', label: 'Un prix pour tous', hint: 'Le même à toute heure.' },
  { id: 'class', label: 'Par plage horaire', hint: 'Heures pleines et creuses, été et hiver.' },
  { id: 'producer', label: 'Par producteur', hint: 'Chacun vend à son prix.' },
  { id: 'group', label: 'Par groupe', hint: 'Un prix pour tous, un autre par groupe.' },
  { id: 'social', label: 'Social à 0 €', hint: 'Gratuit pour un groupe.' },
]

/** What a way needs and the operation does not have. */
export function lacking(way: Way, { groups, producers }: TariffChoices): string {
  if ((way === 'group' || way === 'social') && groups.length === 0) return 'Aucun groupe d’acheteurs n’existe encore.'
  return way === 'producer' && producers.length === 0 ? 'L’opération n’a pas encore de producteur.' : ''
}

const SOCIAL = /social|solidai/i

/** The rules of a simple way, at the price that was typed last for everybody. */
export function rulesFor(way: Way, forms: readonly RuleForm[], choices: TariffChoices): RuleForm[] {
  const general = forms.find(({ buyer, group }) => !buyer && !group) ?? forms[0]
  const price = general?.price ?? ''
  const { groups, producers, classes } = choices
  const social = groups.find(({ name }) => SOCIAL.test(name)) ?? groups[0]
  switch (way) {
    case 'flat':
      return [blankRule(price)]
    case 'class':
      return classes.map((name) => blankRule(price, { class: name }))
    case 'producer':
      return producers.map(({ id }) => blankRule(price, { producer: id }))
    case 'group':
      return [blankRule(price), ...groups.map(({ id }) => blankRule(price, { group: id }))]
    case 'social':
      return [blankRule(price), ...(social ? [blankRule('0', { group: social.id })] : [])]
  }
}

const nameIn = (list: readonly { id: string; name: string }[], id: string) =>
  list.find((each) => each.id === id)?.name ?? 'inconnu'

/** For whom, from whom and when a rule holds, in words. */
export function ruleWords(form: Whom, { buyers, groups, producers }: TariffChoices): string {
  const parts = [
    form.buyer && nameIn(buyers, form.buyer),
    form.group && `Groupe ${nameIn(groups, form.group)}`,
    form.producer && nameIn(producers, form.producer),
    // The select offers only these.
    form.class && TIME_CLASSES[form.class as keyof typeof TIME_CLASSES],
  ].filter(Boolean)
  return parts.join(' · ') || 'Tous les acheteurs, à toute heure'
}
