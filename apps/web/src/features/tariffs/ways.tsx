import type { TariffChoices } from '@voisol/contract/tariffs'
import { describeMissing, PRICING_SCHEMES, type PricingScheme } from './form.ts'

/** How a tariff usually is: each makes the rules it needs, at the price that was typed for everybody. */
export const PricingSchemePicker = ({
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
