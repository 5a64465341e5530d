import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { Operation, OperationStep, UniverseEvent } from './client.ts';
import { followEvents } from './live.ts';
import { hostObjectOf } from './machine-queries.ts';
import { keys } from './queries.ts';

interface Live {
  isConnected: boolean;
  /** Number of connections so far: each new one triggers a read of missed data. */
  connections: number;
  listen: (listener: (event: UniverseEvent) => void) => () => void;
}

const LiveContext = createContext<Live>({ isConnected: true, connections: 0, listen: () => () => undefined });

/** Keeps pages current: events update them at once, and after a disconnect everything is refetched. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const isVisible = useIsVisible();
  const listeners = useRef(new Set<(event: UniverseEvent) => void>());
  const isNew = useRef(true);
  const [state, setState] = useState({ isConnected: true, connections: 0 });

  useEffect(() => {
    // Hidden pages close their connection: a browser opens only a few per server.
    if (!isVisible) return undefined;
    const end = new AbortController();
    let isFirst = isNew.current;
    isNew.current = false;
    void followEvents(
      {
        onEvent: (event) => {
          applyEvent(client, event);
          for (const listener of listeners.current) listener(event);
        },
        onConnection: (isConnected) => {
          setState((before) => ({ isConnected, connections: before.connections + (isConnected ? 1 : 0) }));
          // On the first connection, everything is being fetched anyway.
          if (isConnected && !isFirst) void client.invalidateQueries();
          isFirst = false;
        },
        onRefusal: () => client.setQueryData(keys.whoami, null),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, isVisible]);

  const listen = (listener: (event: UniverseEvent) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  };
  return <LiveContext value={{ ...state, listen }}>{children}</LiveContext>;
}

export function useLive(): Live {
  return useContext(LiveContext);
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const update = () => setIsVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}

function applyEvent(client: QueryClient, event: UniverseEvent): void {
  const { kind, operation, cluster } = event;
  if (kind === 'step' && operation !== undefined)
    client.setQueryData<Operation>(keys.operation(operation), (before) => before && withStep(before, event));
  if (kind === 'operation' && operation !== undefined) {
    void client.invalidateQueries({ queryKey: keys.operation(operation) });
    void client.invalidateQueries({ queryKey: keys.operations });
    void client.invalidateQueries({ queryKey: keys.status });
    void client.invalidateQueries({ queryKey: keys.capacity });
    if (cluster !== undefined) void client.invalidateQueries({ queryKey: keys.cluster(cluster) });
    if (!hostObjectOf(cluster)) return;
    for (const queryKey of [keys.machines, keys.hostNetworks, keys.disks, keys.machineImages])
      void client.invalidateQueries({ queryKey });
  }
  if (kind === 'cluster') {
    void client.invalidateQueries({ queryKey: keys.clusters });
    if (cluster !== undefined) void client.invalidateQueries({ queryKey: keys.cluster(cluster) });
  }
}

/** The operation after a change of one step. */
export function withStep(operation: Operation, { step: name, data, at }: UniverseEvent): Operation {
  const { state, attempts, problems } = data as Pick<OperationStep, 'state' | 'attempts' | 'problems'>;
  const steps = operation.steps.map((step): OperationStep => {
    if (step.name !== name) return step;
    const { endedAt: _ended, problems: _problems, ...kept } = step;
    return {
      ...kept,
      state,
      attempts,
      ...(problems && { problems }),
      ...(state === 'running' ? { startedAt: at } : { endedAt: at }),
    };
  });
  return { ...operation, steps };
}
