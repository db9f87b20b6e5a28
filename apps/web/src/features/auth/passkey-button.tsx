import KeyRound from 'lucide-react/icons/key-round'
import { type ReactNode, useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { getPasskeyAssertion } from '../../lib/passkey.ts'
import { Button } from '../../ui/button.tsx'
import { AuthNotice } from './notice.tsx'

type PasskeyAssertion = Awaited<ReturnType<typeof getPasskeyAssertion>>
type PasskeyButtonProps = {
  run: (signed: PasskeyAssertion) => Promise<unknown>
  children: ReactNode
  variant?: 'primary' | 'secondary'
}

/** Asks the device for a passkey and hands on what it signed; why it did not work is said above. */
export function PasskeyButton({ run, children, variant = 'secondary' }: PasskeyButtonProps) {
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState('')
  const start = async () => {
    setWorking(true)
    setFailure('')
    await getPasskeyAssertion()
      .then(run)
      .catch((error: unknown) => setFailure(explainError(error)))
    setWorking(false)
  }
  return (
    <div className="grid gap-4">
      {failure && (
        <AuthNotice tone="danger" focused>
          {failure}
        </AuthNotice>
      )}
      <Button
        variant={variant}
        size="large"
        className="w-full"
        icon={<KeyRound aria-hidden="true" />}
        loading={working}
        onClick={start}
      >
        {children}
      </Button>
    </div>
  )
}
