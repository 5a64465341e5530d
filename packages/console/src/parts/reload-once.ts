const key = 'nova.reloaded';
const pause = 2000;
/** A page that fails again so soon after a reload does not reload itself again. */
const minute = 60_000;

/** Reloads the page as soon as the server responds, at most once a minute. Returns a function that stops it. */
export function reloadOnce(reload: () => void = () => location.reload()): () => void {
  let isStopped = false;
  const attempt = async () => {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < minute) return;
    while (!isStopped) {
      const isThere = await fetch('/', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isStopped) return;
      if (isThere) {
        sessionStorage.setItem(key, String(Date.now()));
        return reload();
      }
      await new Promise((wake) => setTimeout(wake, pause));
    }
  };
  void attempt();
  return () => {
    isStopped = true;
  };
}
