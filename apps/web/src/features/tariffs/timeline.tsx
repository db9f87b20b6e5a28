import type { Tariff } from '@voisol/contract/tariffs'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/link.tsx'
import { formatTariffPrice, useVersionLink } from './links.ts'
import { formatTariffPeriod, getTariffState, type TariffState, TariffStateBadge } from './state.tsx'

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
export function TariffTimeline({ versions, chosen }: { versions: Tariff[]; chosen: string | undefined }) {
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
