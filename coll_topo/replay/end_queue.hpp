// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace coll_topo::replay {

/// Numbers with the times at which something ends, the earliest first, of equal ones the lowest number. A heap that
/// knows where each number is: where many share links, most times change often, but little in their order.
class EndQueue {
public:
    bool empty() const { return heap_.empty(); }
    double next_time() const { return heap_.front().time; }
    int next() const { return heap_.front().number; }

    void clear() {
        heap_.clear();
        places_.clear();
    }

    /// Adds the number, or moves it to another time.
    void set(int number, double time) {
        if (static_cast<std::size_t>(number) >= places_.size()) places_.resize(number + 1, absent);
        if (places_[number] == absent) {
            places_[number] = heap_.size();
            heap_.push_back({time, number});
        }
        const std::size_t place = places_[number];
        heap_[place].time = time;
        sink(rise(place));
    }

    void remove_next() {
        places_[next()] = absent;
        const End last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
        put(last, 0);
        sink(0);
    }

private:
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);

    struct End {
        double time;
        int number;
        bool operator<(const End& other) const {
            return time != other.time ? time < other.time : number < other.number;
        }
    };

    void put(const End& end, std::size_t place) {
        heap_[place] = end;
        places_[end.number] = place;
    }

    /// Where it is then.
    std::size_t rise(std::size_t place) {
        const End end = heap_[place];
        for (; place > 0 && end < heap_[(place - 1) / 2]; place = (place - 1) / 2) put(heap_[(place - 1) / 2], place);
        put(end, place);
        return place;
    }

    void sink(std::size_t place) {
        const End end = heap_[place];
        for (std::size_t below = 2 * place + 1; below < heap_.size(); below = 2 * place + 1) {
            if (below + 1 < heap_.size() && heap_[below + 1] < heap_[below]) ++below;
            if (!(heap_[below] < end)) break;
            put(heap_[below], place);
            place = below;
        }
        put(end, place);
    }

    std::vector<End> heap_;
    std::vector<std::size_t> places_;  // by number
};

}  // namespace coll_topo::replay
