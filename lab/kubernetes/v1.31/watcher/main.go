// Command watcher watches a file, as programs that reload their configuration do.
// With "hoard" it keeps making watchers until the kernel refuses, and holds them.
package main

import (
	"log"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

func main() {
	log.SetFlags(log.LstdFlags | log.LUTC)
	if len(os.Args) > 1 && os.Args[1] == "hoard" {
		hoard()
		return
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		log.Fatalf("failed to create fsnotify watcher: %v", err)
	}
	defer watcher.Close()
	log.Print("watching")
	for event := range watcher.Events {
		log.Print(event)
	}
}

func hoard() {
	var held []*fsnotify.Watcher
	for {
		watcher, err := fsnotify.NewWatcher()
		if err != nil {
			break
		}
		held = append(held, watcher)
	}
	log.Printf("%d indexes are open", len(held))
	for {
		time.Sleep(time.Hour)
	}
}
