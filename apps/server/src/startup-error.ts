/** A reason not to start that the operator can act on: its French message is printed as it is, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
