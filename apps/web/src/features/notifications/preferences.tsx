import { useQuery } from '@tanstack/react-query'
import {
  NotificationCategory,
  NotificationChannel,
  type NotificationPreference,
  notifications,
} from '@voisol/contract/notifications'
import type { z } from 'zod'
import { explainError } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { NOTIFICATION_CATEGORY_LABELS, NOTIFICATION_CHANNEL_LABELS } from './labels.ts'

type Preference = z.output<typeof NotificationPreference>
type PreferenceKey = Omit<Preference, 'enabled'>

/** An alert about the account is always shown. */
const isLocked = ({ category, channel }: PreferenceKey) => category === 'security' && channel === 'app'

function useSavePreference() {
  const { run, isPending, variables } = useAction(notifications.savePreferences, [notifications.preferences])
  const save = (item: Preference) =>
    run({ body: { items: [item] } }).catch((error) =>
      toast({
        title: 'La préférence n’a pas été enregistrée',
        description: explainError(error),
        variant: 'destructive',
      }),
    )
  /** What has just been pressed shows at once, while it is being saved. */
  return { save, pending: isPending ? variables?.input.body.items : undefined }
}

const isEnabled = (items: Preference[], searched: PreferenceKey) =>
  items.find((preference) => preference.category === searched.category && preference.channel === searched.channel)
    ?.enabled ?? true

function PreferencesTable({ items }: { items: Preference[] }) {
  const { save, pending } = useSavePreference()
  const currentItems = [...(pending ?? []), ...items]
  return (
    <table className="w-full text-left text-body">
      <caption className="sr-only">Préférences de notification par catégorie et par canal</caption>
      <thead className="border-b border-line text-[0.8125rem] text-ink-soft">
        <tr>
          <th scope="col" className="p-4 font-medium sm:px-5">
            Catégorie
          </th>
          {NotificationChannel.options.map((channel) => (
            <th key={channel} scope="col" className="w-24 p-2 text-center font-medium sm:w-40">
              {NOTIFICATION_CHANNEL_LABELS[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {NotificationCategory.options.map((category) => (
          <tr key={category}>
            <th scope="row" className="p-4 font-normal sm:px-5">
              <span className="block font-medium">{NOTIFICATION_CATEGORY_LABELS[category].label}</span>
              <span className="block text-[0.8125rem] text-ink-soft">
                {NOTIFICATION_CATEGORY_LABELS[category].about}
              </span>
            </th>
            {NotificationChannel.options.map((channel) => (
              <td key={channel} className="p-2">
                <div className="flex justify-center">
                  <Switch
                    label={
                      <span className="sr-only">{`${NOTIFICATION_CATEGORY_LABELS[category].label}, ${NOTIFICATION_CHANNEL_LABELS[channel]}`}</span>
                    }
                    checked={isEnabled(currentItems, { category, channel })}
                    disabled={isLocked({ category, channel })}
                    onChange={(event) => void save({ category, channel, enabled: event.target.checked })}
                  />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function NotificationPreferences() {
  const { data, error, refetch } = useQuery(query(notifications.preferences, {}))
  return (
    <div className="max-w-3xl space-y-4">
      <p className="text-body text-ink-soft">
        Un changement prend effet aussitôt. Par e-mail partent les deux rendez-vous en bas de la liste, et sinon ce qui
        ne peut pas attendre&nbsp;: la sécurité, et ce qui est important ou critique. Les alertes de sécurité
        s’affichent toujours dans l’application.
      </p>
      <div className={cx(cardClass, 'overflow-hidden')}>
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data ? (
          <PreferencesTable items={data.items} />
        ) : (
          <div className="space-y-3 p-5">
            {NotificationCategory.options.map((category) => (
              <Skeleton key={category} className="h-10 w-full" />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}
