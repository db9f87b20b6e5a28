let navigate: ((path: string) => unknown) | undefined

/** The router's own navigation, for what happens outside of a component. */
export const setNavigator = (next: typeof navigate) => {
  navigate = next
}

/** Without a router, or when it fails, the browser itself goes there. */
export async function goTo(path: string) {
  try {
    if (!navigate) return location.assign(path)
    await navigate(path)
  } catch (error) {
    console.error(error)
    location.assign(path)
  }
}
