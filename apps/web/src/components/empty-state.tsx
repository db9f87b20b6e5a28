import type { ReactNode } from 'react'

/** A roof waiting for the sun: line and flat fill, as the site's drawings. */
const RoofIllustration = () => (
  <svg
    aria-hidden="true"
    width="112"
    height="80"
    viewBox="0 0 112 80"
    fill="none"
    strokeLinejoin="round"
    strokeLinecap="round"
  >
    <circle cx="86" cy="19" r="9" fill="#FEF3C7" stroke="#F59E0B" strokeWidth="1.75" />
    <path
      d="M86 4v-2M86 36v-2M71 19h-2M103 19h-2M75.4 8.4 74 7M98 31l-1.400-1.400M96.600 8.400 98 7M74 31l1.400-1.400"
      stroke="#F59E0B"
      strokeWidth="1.75"
    />
    <path d="M22 46v26h58V46L51 25Z" fill="#F8FAFC" stroke="#94A3B8" strokeWidth="1.75" />
    <path d="m14 50 37-28 37 28" stroke="#64748B" strokeWidth="1.75" />
    <path d="m57 33 20 15-7 0-19-14.500Z" fill="#DBEAFE" stroke="#1E3A8A" strokeWidth="1.5" />
    <path d="M45 72V57h12v15" fill="#FFFFFF" stroke="#94A3B8" strokeWidth="1.75" />
    <path d="M6 72h100" stroke="#CBD5E1" strokeWidth="1.75" />
  </svg>
)

/** Why nothing is asked of the reader: all is in order, it fills by itself, or what is to be chosen stands on the same screen. */
type NoActionReason = 'all-well' | 'comes-by-itself' | 'chosen-here'
type EmptyStateProps = { title: string; why: ReactNode } & (
  | { action: ReactNode; because?: never }
  | { because: NoActionReason; action?: never }
)

/** Why it is empty, and the one thing to do about it, or why there is none. */
export const EmptyState = ({ title, why, action, because }: EmptyStateProps) => (
  <div data-empty={because ?? 'next'} className="grid justify-items-center gap-1 px-6 py-12 text-center">
    <RoofIllustration />
    <h2 className="mt-3 text-base font-semibold">{title}</h2>
    <p className="max-w-md text-body text-ink-soft">{why}</p>
    {action && <div className="mt-4">{action}</div>}
  </div>
)
