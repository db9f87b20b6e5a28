import type { Key } from '@voisol/contract/keys'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { cx } from '../../../ui/cx.ts'
import { Link } from '../../../ui/link.tsx'
import { useTabLink } from '../tab-link.ts'
import { formatKeyPeriod, getKeyState, KeyBadges, type KeyState } from './state.tsx'

const DOT_CLASSES: Record<KeyState, string> = {
  draft: 'border-control bg-card',
  current: 'border-success bg-success',
  upcoming: 'border-primary-ink bg-primary-soft',
  replaced: 'border-line-strong bg-slate-200',
}

type KeyTimelineProps = { versions: Key[]; chosen: string | undefined }

/** The versions, the latest first; the filled dot is the one that holds today. */
export function KeyTimeline({ versions, chosen }: KeyTimelineProps) {
  const link = useTabLink()
  return (
    <nav aria-label="Versions de la clé">
      <ol className="relative grid gap-2 before:absolute before:top-4 before:bottom-4 before:left-[0.4375rem] before:w-px before:bg-line-strong">
        {versions.map((version) => (
          <li key={version.id} className="relative pl-7">
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-4 left-0 size-[0.9375rem] rounded-full border-2',
                DOT_CLASSES[getKeyState(version)],
              )}
            />
            <Link
              to={link('cles', { cle: version.id })}
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
                <span className="font-medium">Version {version.number}</span>
                <KeyBadges version={version} />
              </span>
              <span>{ALLOCATION_METHOD_LABELS[version.method].label}</span>
              <span className="tabular text-[0.8125rem] text-ink-soft">{formatKeyPeriod(version)}</span>
              {version.label && <span className="text-[0.8125rem] text-ink-soft">{version.label}</span>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
