import type { RecomputedStep } from '@voisol/contract/invoice-views'
import { date, money, number, percent } from '../../lib/format.ts'
import { price } from '../../lib/price.ts'

/** A fraction in decimals, cut and not rounded: « 12,3333… ». Digits alone, no division of floats. */
export function decimals(fraction: string, places: number): string {
  const [num = '0', den = '1'] = fraction.split('/')
  const [top, bottom] = [BigInt(num), BigInt(den)]
  const positive = top < 0n ? -top : top
  const scaled = (positive * 10n ** BigInt(places)) / bottom
  const digits = scaled.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, '\u202f')
  const part = digits.slice(digits.length - places).replace(/0+$/, '')
  const more = scaled * bottom === positive * 10n ** BigInt(places) ? '' : '…'
  return `${top < 0n ? '−' : ''}${whole}${part || more ? ',' : ''}${part}${more}`
}

/** Cents in euros, ten-thousandths of a euro in cents. */
function hundredth(fraction: string): string {
  const [num = '0', den = '1'] = fraction.split('/')
  return decimals(`${num}/${BigInt(den) * 100n}`, 6)
}
const euros = (cents: string) => `${hundredth(cents)}\u00a0€`

type Inputs = RecomputedStep['inputs']
const int = (inputs: Inputs, name: string) => Number(inputs[name] ?? 0)
const text = (inputs: Inputs, name: string) => String(inputs[name] ?? '')
const bp = (value: number) => percent(value / 10_000, value % 100 === 0 ? 0 : 2)
const comma = (value: string) => value.replace('.', ',')

const wattMinutes = (value: string) => (value.includes('/') ? decimals(value, 3) : number(Number(value)))

function indexed(inputs: Inputs): string {
  const fixed = int(inputs, 'fixedBp')
  const ratio = `${comma(text(inputs, 'index'))} ÷ ${comma(text(inputs, 'base'))}`
  const moved = fixed ? `(${bp(fixed)} + ${bp(10_000 - fixed)} × ${ratio})` : ratio
  const bounds = [
    inputs.floor === null || inputs.floor === undefined ? '' : `, au moins ${price(int(inputs, 'floor'))}`,
    inputs.cap === null || inputs.cap === undefined ? '' : `, au plus ${price(int(inputs, 'cap'))}`,
  ].join('')
  return `${price(int(inputs, 'p0'))} × ${moved}${bounds}`
}

const feeWords = (inputs: Inputs) =>
  `${money(int(inputs, 'amount'))} × ${int(inputs, 'days')} ÷ ${int(inputs, 'periodDays')} jours`

export type Shown = { title: string; sum: string; exact: string; result: string }

const FORMULAS: Record<string, (step: RecomputedStep) => Shown> = {
  units: ({ inputs, exact, result }) => ({
    title: 'Quantité',
    sum: `${wattMinutes(text(inputs, 'wattMinutes'))} watt-minutes ÷ 60${int(inputs, 'resolutionWh') > 1 ? ` ÷ ${number(int(inputs, 'resolutionWh'))}` : ''}`,
    exact: decimals(exact, 4),
    result: `${number(result * int(inputs, 'resolutionWh'))}\u00a0Wh`,
  }),
  indexedPrice: ({ inputs, exact, result }) => ({
    title: 'Prix indexé',
    sum: indexed(inputs),
    exact: `${hundredth(exact)}\u00a0c€/kWh`,
    result: price(result),
  }),
  energy: ({ inputs, exact, result }) => ({
    title: 'Montant',
    sum: `${number(int(inputs, 'wh') / 1000, 3)}\u00a0kWh × ${price(int(inputs, 'price'))}`,
    exact: euros(exact),
    result: money(result),
  }),
  accise: ({ inputs, exact, result }) => ({
    title: 'Accise',
    sum: `${number(int(inputs, 'wh') / 1000, 3)}\u00a0kWh × ${money(int(inputs, 'centsPerMwh'))}/MWh`,
    exact: euros(exact),
    result: money(result),
  }),
  feeUpTo: ({ inputs, exact, result }) => ({
    title: `Cumul à la fin, depuis le ${date(text(inputs, 'from'))}`,
    sum: feeWords(inputs),
    exact: euros(exact),
    result: money(result),
  }),
  feeBefore: ({ inputs, exact, result }) => ({
    title: 'Cumul au début',
    sum: feeWords(inputs),
    exact: euros(exact),
    result: money(result),
  }),
  fee: ({ result }) => ({ title: 'Part de la période', sum: 'Fin − début', exact: '', result: money(result) }),
  percent: ({ inputs, exact, result }) => ({
    title: 'Remise',
    sum: `${money(int(inputs, 'base'))} × ${bp(int(inputs, 'percentBp'))}`,
    exact: euros(exact),
    result: money(result),
  }),
  fixed: ({ result }) => ({ title: 'Remise', sum: 'Montant fixe', exact: '', result: money(result) }),
  capped: ({ inputs, result }) => ({
    title: 'Retenu',
    sum: `Le moindre de ${money(int(inputs, 'asked'))} et ${money(int(inputs, 'left'))}`,
    exact: '',
    result: money(result),
  }),
  difference: ({ inputs, result }) => ({
    title: 'Différence',
    sum: `${money(int(inputs, 'after'))} aujourd’hui, ${money(int(inputs, 'before'))} jusqu’ici`,
    exact: '',
    result: money(result),
  }),
  vat: ({ inputs, exact, result }) => ({
    title: 'Taxe',
    sum: `${money(int(inputs, 'base'))} × ${bp(int(inputs, 'rate'))}`,
    exact: euros(exact),
    result: money(result),
  }),
  service: ({ inputs, exact, result }) => ({
    title: 'Prestation',
    sum: `${comma(text(inputs, 'quantity'))} × ${comma(text(inputs, 'price'))}\u00a0€`,
    exact: euros(exact),
    result: money(result),
  }),
  sum: ({ result }) => ({ title: 'Somme', sum: 'Addition', exact: '', result: money(result) }),
}

/** A step of the computation as a person checks it with a calculator. */
export const shownStep = (step: RecomputedStep): Shown =>
  FORMULAS[step.formula]?.(step) ?? { title: step.formula, sum: '', exact: step.exact, result: number(step.result) }
