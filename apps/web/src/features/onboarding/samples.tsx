import { onboarding, type SAMPLES } from '@voisol/contract/onboarding'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'

const FILES: { name: (typeof SAMPLES)[number]; label: string }[] = [
  { name: 'participants', label: 'Participants (CSV)' },
  { name: 'curves', label: 'Courbes de charge (CSV)' },
]

const failed = (error: unknown) =>
  toast({ title: 'Fichier non téléchargé', description: explain(error), variant: 'destructive' })

/** The same three meters in both: imported one after the other, they make a first allocation. */
export const Samples = () => (
  <div className="flex flex-wrap gap-3">
    {FILES.map(({ name, label }) => (
      <Button
        key={name}
        variant="quiet"
        icon={<Download aria-hidden="true" />}
        onClick={() => void download(onboarding.sample, { query: { name } }).catch(failed)}
      >
        {label}
      </Button>
    ))}
  </div>
)
