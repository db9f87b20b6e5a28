import KeyRound from 'lucide-react/icons/key-round'
import { type ReactNode, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { proveByPasskey } from '../../lib/passkey.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from './notice.tsx'

type Signed = Awaited<ReturnType<typeof proveByPasskey>>
type PasskeyButtonProps = {
  run: (signed: Signed) => Promise<unknown>
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
    await proveByPasskey()
      .then(run)
      .catch((error: unknown) => setFailure(explain(error)))
    setWorking(false)
  }
  return (
    <div className="grid gap-4">
      {failure && (
        <Notice tone="danger" focused>
          {failure}
        </Notice>
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
