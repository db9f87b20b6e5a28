import { Content, Portal, Provider, Root, Trigger } from 'radix-ui/tooltip'
import type { ReactElement } from 'react'

/** A reminder on hover and focus; never the only place where something is said. */
export const Tooltip = ({ label, children }: { label: string; children: ReactElement }) => (
  <Provider delayDuration={350}>
    <Root>
      <Trigger asChild>{children}</Trigger>
      <Portal>
        <Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-snug text-white"
        >
          {label}
        </Content>
      </Portal>
    </Root>
  </Provider>
)
