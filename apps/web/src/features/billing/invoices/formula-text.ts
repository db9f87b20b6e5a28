import type { RecomputedStep } from '@voisol/contract/invoice-views'
import { formatDate, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatPrice } from '../../../lib/price.ts'

/** A fraction in decimals, cut and not rounded: « 12,3333… ». Digits alone, no division of floats. */
export function formatFraction(fraction: string, places: number): string {
  const [num = '0', den = '1'] = fraction.split('/')
  const [top, bottom] = [BigInt(num), BigInt(den)]
  const positive = top < 0n ? -top : top
  const scaled = (positive * 10n ** BigInt(places)) / bottom
  const digits = scaled.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, '\u202f')
  const part = digits.slice(digits.length - places).replace(/0+$/, '')
  const ellipsis = scaled * bottom === positive * 10n ** BigInt(places) ? '' : '…'
  return `${top < 0n ? '−' : ''}${whole}${part || ellipsis ? ',' : ''}${part}${ellipsis}`
}

/** Cents in euros, ten-thousandths of a euro in cents. */
function formatHundredth(fraction: string): string {
  const [num = '0', den = '1'] = fraction.split('/')
  return formatFraction(`${num}/${BigInt(den) * 100n}`, 6)
}
const formatEuros = (cents: string) => `${formatHundredth(cents)}\u00a0€`

type StepInputs = RecomputedStep['inputs']
const getNumber = (inputs: StepInputs, name: string) => Number(inputs[name] ?? 0)
const getText = (inputs: StepInputs, name: string) => String(inputs[name] ?? '')
const formatBasisPoints = (value: number) => formatPercent(value / 10_000, value % 100 === 0 ? 0 : 2)
const formatDecimalComma = (value: string) => value.replace('.', ',')

const formatWattMinutes = (value: string) =>
  value.includes('/') ? formatFraction(value, 3) : formatNumber(Number(value))

function formatIndexedPrice(inputs: StepInputs): string {
  const fixedPart = getNumber(inputs, 'fixedBp')
  const ratio = `${formatDecimalComma(getText(inputs, 'index'))} ÷ ${formatDecimalComma(getText(inputs, 'base'))}`
  const ratioText = fixedPart
    ? `(${formatBasisPoints(fixedPart)} + ${formatBasisPoints(10_000 - fixedPart)} × ${ratio})`
    : ratio
  const bounds = [
    inputs.floor === null || inputs.floor === undefined ? '' : `, au moins ${formatPrice(getNumber(inputs, 'floor'))}`,
    inputs.cap === null || inputs.cap === undefined ? '' : `, au plus ${formatPrice(getNumber(inputs, 'cap'))}`,
  ].join('')
  return `${formatPrice(getNumber(inputs, 'p0'))} × ${ratioText}${bounds}`
}

const formatFee = (inputs: StepInputs) =>
  `${formatMoney(getNumber(inputs, 'amount'))} × ${getNumber(inputs, 'days')} ÷ ${getNumber(inputs, 'periodDays')} jours`

type FormattedStep = { title: string; sum: string; exact: string; result: string }

const STEP_FORMATTERS: Record<string, (step: RecomputedStep) => FormattedStep> = {
  units: ({ inputs, exact, result }) => ({
    title: 'Quantité',
    sum: `${formatWattMinutes(getText(inputs, 'wattMinutes'))} watt-minutes ÷ 60${getNumber(inputs, 'resolutionWh') > 1 ? ` ÷ ${formatNumber(getNumber(inputs, 'resolutionWh'))}` : ''}`,
    exact: formatFraction(exact, 4),
    result: `${formatNumber(result * getNumber(inputs, 'resolutionWh'))}\u00a0Wh`,
  }),
  indexedPrice: ({ inputs, exact, result }) => ({
    title: 'Prix indexé',
    sum: formatIndexedPrice(inputs),
    exact: `${formatHundredth(exact)}\u00a0c€/kWh`,
    result: formatPrice(result),
  }),
  energy: ({ inputs, exact, result }) => ({
    title: 'Montant',
    sum: `${formatNumber(getNumber(inputs, 'wh') / 1000, 3)}\u00a0kWh × ${formatPrice(getNumber(inputs, 'price'))}`,
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  accise: ({ inputs, exact, result }) => ({
    title: 'Accise',
    sum: `${formatNumber(getNumber(inputs, 'wh') / 1000, 3)}\u00a0kWh × ${formatMoney(getNumber(inputs, 'centsPerMwh'))}/MWh`,
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  feeUpTo: ({ inputs, exact, result }) => ({
    title: `Cumul à la fin, depuis le ${formatDate(getText(inputs, 'from'))}`,
    sum: formatFee(inputs),
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  feeBefore: ({ inputs, exact, result }) => ({
    title: 'Cumul au début',
    sum: formatFee(inputs),
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  fee: ({ result }) => ({ title: 'Part de la période', sum: 'Fin − début', exact: '', result: formatMoney(result) }),
  percent: ({ inputs, exact, result }) => ({
    title: 'Remise',
    sum: `${formatMoney(getNumber(inputs, 'base'))} × ${formatBasisPoints(getNumber(inputs, 'percentBp'))}`,
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  fixed: ({ result }) => ({ title: 'Remise', sum: 'Montant fixe', exact: '', result: formatMoney(result) }),
  capped: ({ inputs, result }) => ({
    title: 'Retenu',
    sum: `Le moindre de ${formatMoney(getNumber(inputs, 'asked'))} et ${formatMoney(getNumber(inputs, 'left'))}`,
    exact: '',
    result: formatMoney(result),
  }),
  difference: ({ inputs, result }) => ({
    title: 'Différence',
    sum: `${formatMoney(getNumber(inputs, 'after'))} aujourd’hui, ${formatMoney(getNumber(inputs, 'before'))} jusqu’ici`,
    exact: '',
    result: formatMoney(result),
  }),
  vat: ({ inputs, exact, result }) => ({
    title: 'Taxe',
    sum: `${formatMoney(getNumber(inputs, 'base'))} × ${formatBasisPoints(getNumber(inputs, 'rate'))}`,
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  service: ({ inputs, exact, result }) => ({
    title: 'Prestation',
    sum: `${formatDecimalComma(getText(inputs, 'quantity'))} × ${formatDecimalComma(getText(inputs, 'price'))}\u00a0€`,
    exact: formatEuros(exact),
    result: formatMoney(result),
  }),
  sum: ({ result }) => ({ title: 'Somme', sum: 'Addition', exact: '', result: formatMoney(result) }),
}

/** A step of the computation as a person checks it with a calculator. */
export const formatStep = (step: RecomputedStep): FormattedStep =>
  STEP_FORMATTERS[step.formula]?.(step) ?? {
    title: step.formula,
    sum: '',
    exact: step.exact,
    result: formatNumber(step.result),
  }
