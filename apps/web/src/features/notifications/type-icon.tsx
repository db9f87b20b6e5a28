import type { Notification } from '@voisol/contract/notifications'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from '../../ui/cx.ts'
import { NOTIFICATION_TYPE_LABELS } from './labels.ts'

const TYPE_ICONS = { error: CircleAlert, warning: TriangleAlert, success: CircleCheck, info: Info }
const TYPE_TONES = {
  error: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  success: 'bg-success-soft text-success',
  info: 'bg-primary-soft text-primary-ink',
}

/** Its shape differs with its colour, and a screen reader hears the word. */
export function TypeIcon({ type, className = 'size-9' }: { type: Notification['type']; className?: string }) {
  const Icon = TYPE_ICONS[type]
  return (
    <span className={cx('grid shrink-0 place-items-center rounded-full', TYPE_TONES[type], className)}>
      <Icon aria-hidden="true" className="size-[1.125rem]" />
      <span className="sr-only">{NOTIFICATION_TYPE_LABELS[type].label}</span>
    </span>
  )
}

export const UnreadDot = () => (
  <span className="mt-2 size-2 shrink-0 rounded-full bg-primary">
    <span className="sr-only">Non lue</span>
  </span>
)
