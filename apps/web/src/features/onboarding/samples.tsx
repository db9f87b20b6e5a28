import { type ONBOARDING_SAMPLES, onboarding } from '@voisol/contract/onboarding'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'

const SAMPLE_FILES: { name: (typeof ONBOARDING_SAMPLES)[number]; label: string }[] = [
  { name: 'participants', label: 'Participants (CSV)' },
  { name: 'curves', label: 'Courbes de charge (CSV)' },
]

const showFailure = (error: unknown) =>
  toast({ title: 'Fichier non téléchargé', description: explainError(error), variant: 'destructive' })

/** The same three meters in both: imported one after the other, they make a first allocation. */
export const SampleFiles = () => (
  <div className="flex flex-wrap gap-3">
    {SAMPLE_FILES.map(({ name, label }) => (
      <Button
        key={name}
        variant="quiet"
        icon={<Download aria-hidden="true" />}
        onClick={() => void download(onboarding.sample, { query: { name } }).catch(showFailure)}
      >
        {label}
      </Button>
    ))}
  </div>
)
